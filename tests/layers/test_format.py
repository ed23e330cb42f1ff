"""test_format.py ROOT CLANG-FORMAT: fails when a C file differs from what clang-format makes of it."""

import re
import subprocess
import sys
from pathlib import Path


def main():
    root, formatter = Path(sys.argv[1]), sys.argv[2]
    sample = subprocess.run([formatter, f"--style=file:{root}/.clang-format", "--dry-run", "-Werror", "--assume-filename=x.c"],
                            input="int  x ;\n", text=True, capture_output=True)
    if sample.returncode == 0:
        sys.exit("self-test: clang-format accepts what is not formatted")
    files = [str(path) for folder in ("src", "include", "tests") for path in sorted((root / folder).rglob("*.[ch]"))]
    result = subprocess.run([formatter, "--style=file", "--dry-run", "-Werror", *files], capture_output=True, text=True)
    off = sorted(set(re.findall(r"^(\S[^:\n]*):\d+:\d+: error: code should be", result.stderr, re.MULTILINE)))
    if result.returncode and not off:
        sys.exit(result.stderr)
    if off:
        print(f"not formatted (clang-format -i mends it): {len(off)} of {len(files)} files")
        print("\n".join(off))
        return 1
    print(f"{len(files)} files are formatted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
