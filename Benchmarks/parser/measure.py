"""Times parsers on the same files in turn and prints medians as a table in Markdown."""
import importlib.metadata
import os
import platform
import resource
import statistics
import subprocess
import sys
import time

PODGET, WORK = sys.argv[1], sys.argv[2]
ROUNDS = int(os.environ.get("ROUNDS", "5"))
NAMED = ["20,000 items", "one item of 4 MB", "5,000 categories", "10,000 levels", "10 MB of attributes"]
HOSTILE = ["tiny-items", "one-item", "categories", "ampersands", "brackets", "attributes", "nesting"]
PYTHON = {
    "fastfeedparser": "import fastfeedparser,sys; fastfeedparser.parse(open(sys.argv[1],'rb').read())",
    "podcastparser": "import podcastparser,sys; podcastparser.parse('http://x.example/f',open(sys.argv[1],'rb'))",
    "feedparser": "import feedparser,sys; feedparser.parse(sys.argv[1])",
}


def generate(kind, megabytes):
    path = f"{WORK}/{kind}-{megabytes}.xml"
    if not os.path.exists(path):
        subprocess.run([sys.executable, "Benchmarks/parser/generate.py", kind, str(megabytes), path], check=True)
    return path


def measure(command):
    """CPU seconds, wall seconds and peak megabytes of one run."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def medians(commands, rounds=ROUNDS):
    """Runs the commands in turn, so that a slow moment of the machine meets all of them."""
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(measure(command))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in runs.items()}


def inspect(path):
    return [PODGET, "inspect", path]


def main():
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PYTHON)
    print("## Parsing\n")
    print(f"`Benchmarks/parser/run`, {platform.machine()}, {os.cpu_count()} processors; {versions}; medians of {ROUNDS}\n")

    big = generate("typical", 50)
    result = medians({"podget inspect": inspect(big), "xmllint --sax": ["xmllint", "--sax", "--noout", big]})
    print("| 50 MB of RSS | CPU s | wall s | peak MB | CPU ratio |\n|---|---|---|---|---|")
    base = result["xmllint --sax"][0]
    for name, (cpu, wall, peak) in result.items():
        print(f"| {name} | {cpu:.2f} | {wall:.2f} | {peak:.0f} | {cpu / base:.2f} |")

    small = generate("typical", 10)
    commands = {"podget inspect": inspect(small)}
    commands |= {name: [sys.executable, "-c", code, small] for name, code in PYTHON.items()}
    result = medians(commands, rounds=3)
    base = result["podget inspect"][1]
    print("\n| 10 MB of RSS, whole process | wall s | times podget |\n|---|---|---|")
    for name, (_, wall, _) in result.items():
        print(f"| {name} | {wall:.2f} | {wall / base:.1f} |")

    result = medians({size: inspect(generate("typical", size)) for size in (1, 5, 10, 25, 50)})
    print("\n| size | CPU s | ms per MB | peak MB |\n|---|---|---|---|")
    for size, (cpu, _, peak) in result.items():
        print(f"| {size} MB | {cpu:.3f} | {1000 * cpu / size:.1f} | {peak:.0f} |")

    result = medians({kind: inspect(generate(kind, 10)) for kind in ["typical", *HOSTILE]}, rounds=3)
    base = result["typical"][0]
    print("\n| 10 MB of | CPU s | times typical | peak MB |\n|---|---|---|---|")
    for kind, (cpu, _, peak) in result.items():
        print(f"| {kind} | {cpu:.2f} | {cpu / base:.1f} | {peak:.0f} |")

    print("\n| document | MB | CPU s | times a typical one of its size |\n|---|---|---|---|")
    for kind in NAMED:
        document = generate(kind, 0)
        size = os.path.getsize(document) / 1e6
        result = medians({"it": inspect(document), "typical": inspect(generate("typical", size))})
        print(f"| {kind} | {size:.1f} | {result['it'][0]:.3f} | {result['it'][0] / result['typical'][0]:.1f} |")


main()
