"""test_readme.py ROOT BINARY: README's first pack is the tested file, passes `check`, and can be practised; pictures exist."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    root, binary = Path(sys.argv[1]), sys.argv[2]
    readme = (root / "README.md").read_text(encoding="utf-8")
    faults = []
    pack = root / "tests/content/first-pack.yaml"
    blocks = re.findall(r"^```yaml\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    if pack.read_text(encoding="utf-8") not in blocks:
        faults.append("README.md does not show tests/content/first-pack.yaml as it is")
    for target in re.findall(r"\]\(([^)#\s]+)\)", readme) + re.findall(r'(?:src|srcset)="([^"]+)"', readme):
        if "://" not in target and not (root / target).exists():
            faults.append(f"README.md points to {target}, which is not there")
    for command in ("./run", "./check"):
        if f"\n    {command}\n" not in readme and f"\n{command}\n" not in readme:
            faults.append(f"README.md does not show {command} on a line of its own")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "QUIZTUTOR_STORE": f"{folder}/store.db", "LC_ALL": "C.UTF-8"}
        checked = subprocess.run([binary, "check", str(pack)], env=environment, capture_output=True, text=True)
        if checked.returncode or "warning:" in checked.stdout:
            faults.append(f"{pack} does not pass check without a warning:\n{checked.stdout}{checked.stderr}")
        asked = subprocess.run([binary, "practise", "--plain", "--seed", "1", "--learner", "Ana", str(pack)], env=environment,
                               input="2\n", capture_output=True, text=True)
        told = [f"    {line}".rstrip() for line in asked.stdout.rstrip("\n").split("\n")]
        if asked.returncode or "Right." not in asked.stdout:
            faults.append(f"{pack} can't be practised:\n{asked.stdout}{asked.stderr}")
        elif "\n".join(told) not in readme:
            faults.append(f"README.md does not show the plain lines as they are:\n{asked.stdout}")
    print("\n".join(faults) if faults else "README.md tells the truth")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
