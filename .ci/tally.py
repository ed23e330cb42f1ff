"""tally.py NAME STATUS TESTLOG RESULTS: reads the results of one meson test run.

Appends `PASS NAME: test` or `FAIL NAME: test (why)` for each test to RESULTS, shows what failing tests printed, and
ends with status 1 when one failed, 2 when the run itself went wrong without a test that did.
"""

import json
import sys

SHOWN = 80  # lines of a failing test's output
PASSED = ("OK", "EXPECTEDFAIL")


def show(title, text):
    lines = text.rstrip("\n").split("\n") if text else []
    if not lines:
        return
    print(f"--- {title}")
    if len(lines) > SHOWN:
        print(f"(the last {SHOWN} of {len(lines)} lines)")
    print("\n".join(lines[-SHOWN:]))


def main():
    name, status, testlog, results = sys.argv[1:]
    passed = failed = 0
    skipped = []
    lines = []
    try:
        with open(testlog, encoding="utf-8", errors="replace") as log:
            tests = [json.loads(line) for line in log if line.strip()]
    except (OSError, ValueError) as error:
        print(f"{name}: no results: {error}")
        tests = []
    for test in tests:
        title = test["name"]
        if test["result"] in PASSED:
            passed += 1
            lines.append(f"PASS {name}: {title}")
        elif test["result"] == "SKIP":
            skipped.append(title)
        else:
            failed += 1
            lines.append(f"FAIL {name}: {title} ({test['result'].lower()})")
            print(f"=== {name}: {title}: {test['result'].lower()}, status {test.get('returncode')}")
            show("output", test.get("stdout"))
            show("errors", test.get("stderr"))
    broken = not failed and (status != "0" or not passed)
    if broken:
        failed += 1
        lines.append(f"FAIL {name}: meson test (status {status}, {passed} passed)")
    with open(results, "a", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in lines)
    note = f", {len(skipped)} skipped: {', '.join(skipped)}" if skipped else ""
    print(f"{name}: {passed} passed, {failed} failed{note}", flush=True)
    return 2 if broken else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
