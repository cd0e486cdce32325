# SPDX-License-Identifier: Apache-2.0
"""check_pages.py FOLDER: quotations and links of FOLDER/*.md and FOLDER/docs/*.md.

A quotation is a fenced block below a line `<!-- quoted: PATH -->` or `<!-- quoted: PATH [REGION] -->`, the region being
what stands between the lines `// [REGION]` and `// [/REGION]` of PATH (`#` instead of `//` will do). It must say what
the file says; the licence line and blank lines at either end may be left out. Links to files must lead to one.
"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
findings, quotations = [], 0


def trimmed(lines):
    lines = [line.rstrip() for line in lines if "SPDX-License-Identifier" not in line]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def region_of(lines, name):
    marks = [i for i, line in enumerate(lines) if re.fullmatch(rf"\s*(//|#) \[/?{re.escape(name)}\]", line)]
    return lines[marks[0] + 1 : marks[1]] if len(marks) == 2 else None


for page in sorted([*root.glob("*.md"), *root.glob("docs/*.md")]):
    lines = page.read_text(encoding="utf-8").splitlines()
    for i, line in enumerate(lines):
        where = f"{page.relative_to(root)}:{i + 1}"
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
            if not (page.parent / target).exists():
                findings.append(f"{where}: {target} does not exist")
        quoted = re.fullmatch(r"<!-- quoted: (\S+)(?: \[(\w+)\])? -->", line)
        if not quoted:
            continue
        quotations += 1
        file = root / quoted[1]
        source = file.read_text(encoding="utf-8").splitlines() if file.exists() else None
        if source is not None and quoted[2]:
            source = region_of(source, quoted[2])
        if source is None:
            findings.append(f"{where}: no region [{quoted[2]}] in {quoted[1]}, or no such file")
            continue
        end = lines.index("```", i + 2) if "```" in lines[i + 2 :] else len(lines)
        if not lines[i + 1].startswith("```") or trimmed(lines[i + 2 : end]) != trimmed(source):
            findings.append(f"{where}: differs from {quoted[1]}")

print("\n".join(findings))
print(f"{quotations} quotations, {len(findings)} findings")
sys.exit(bool(findings) or quotations == 0)
