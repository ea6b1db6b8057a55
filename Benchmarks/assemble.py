"""Puts what a measurement printed into its section of RESULTS.md, with the notes that explain it.

Usage: assemble.py NAME <output     NAME is a folder beside this file: parser, refresh, downloads, peers or store
"""
import datetime
import os
import platform
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TITLES = {"parser": "Parsing", "refresh": "Refresh", "downloads": "Downloads", "peers": "The whole program", "store": "Store"}
INTRODUCTION = """# Results

Each section is what the named command printed, and what it means; the ratios are those of one run. `Benchmarks/run` measures
all of them anew and rewrites this file.
"""


def versions():
    """The programs that several sections rely on."""
    compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", compiler)
    return f"Swift {found[1] if found else 'unknown'}, Linux {platform.release().split('-')[0]}, glibc {platform.libc_ver()[1]}"


def sections(text):
    """The sections of a file by their titles."""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2])))


def main():
    name = sys.argv[1]
    output = re.sub(r"\A## .*\n+", "", sys.stdin.read().strip())
    if not output:
        sys.exit(f"{name} printed nothing")
    path = f"{HERE}/RESULTS.md"
    with open(path) as file:
        known = sections(file.read())
    with open(f"{HERE}/{name}/notes.md") as file:
        notes = file.read().strip()
    day = datetime.date.today().isoformat()
    machine = f"{day}, {os.cpu_count()} processors, {platform.machine()}; {versions()}."
    known[TITLES[name]] = f"{machine}\n\n{output}\n\n{notes}"
    with open(path, "w") as file:
        file.write(INTRODUCTION)
        for title in TITLES.values():
            if title in known:
                file.write(f"\n## {title}\n\n{known[title]}\n")


main()
