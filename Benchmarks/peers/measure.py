"""The main job of podget, and the same work done by other programs in turn: medians as tables in Markdown.

podget does more: it reads the feed, remembers what it did, syncs the files to the disk and writes playlists.
"""
import os
import platform
import shutil
import subprocess
import sys
import tempfile

from measuring import Server, measure, medians

PODGET = sys.argv[1]
ROUNDS = int(os.environ.get("ROUNDS", "3"))
SMALL_FILES = int(os.environ.get("SMALL_FILES", "1000"))
FEEDS = int(os.environ.get("FEEDS", "50"))
ROOT = tempfile.mkdtemp(prefix="podget-peers-")
FILES = f"{ROOT}/files"


def version(*command):
    words = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0].split()
    return next(word for word in words if word[:1].isdigit())


def make_files():
    os.makedirs(FILES)
    block = b"ID3\x04\0\0\0\0\0\0" + os.urandom((1 << 20) - 10)
    for number in range(3):
        with open(f"{FILES}/big{number}.mp3", "wb") as file:
            for _ in range(1000):
                file.write(block)
    for number in range(SMALL_FILES):
        with open(f"{FILES}/small{number}.mp3", "wb") as file:
            file.write(block[: 100_000 + number])


def write(name, text, folder=ROOT):
    with open(f"{folder}/{name}", "w") as file:
        file.write(text)
    return f"{folder}/{name}"


def podget(home, *words):
    # Everybody fetches the files and nothing else: ffprobe would look into each.
    return measure([PODGET, *words], dict(os.environ, PODGET_HOME=home, PATH="/nonexistent"))


def show(names, server):
    """A feed of the named files."""
    items = "".join(f"<item><title>{name}</title><guid>{name}</guid><pubDate>01 Jan 2024 10:00:00 GMT</pubDate>"
                    f"<enclosure url='{server.url(name)}' type='audio/mpeg'/></item>" for name in names)
    write("show.xml", f"<rss version='2.0'><channel><title>Show</title>{items}</channel></rss>", FILES)


def download(title, names, parallel, server):
    """One row for each program that fetches these files."""
    show(names, server)
    home = f"{ROOT}/home"
    write("list", "".join(f"{server.url(name)}\n" for name in names))
    write("curl.cfg", "".join(f'url = "{server.url(name)}"\nremote-name\n' for name in names))
    others = {
        "curl --parallel": ["curl", "--no-progress-meter", "--parallel", "--parallel-max", str(parallel), "--config",
                            f"{ROOT}/curl.cfg"],
        "aria2": ["aria2c", "--quiet", f"--max-concurrent-downloads={parallel}", "--split=1", "--input-file",
                  f"{ROOT}/list"],
        "wget2": ["wget2", "--quiet", f"--max-threads={parallel}", "--input-file", f"{ROOT}/list"],
    }
    runs = {name: [] for name in ["podget", *others]}
    for _ in range(ROUNDS):
        os.makedirs(home)
        write("config.json5", f"{{ transfers: {parallel}, transfersPerHost: {parallel}, reserve: '0 B' }}", home)
        podget(home, "subscribe", "--latest", str(len(names)), server.url("show.xml"))
        runs["podget"].append(podget(home, "sync"))
        count = sum(name.endswith(".mp3") for name in os.listdir(f"{home}/Podcasts/Show"))
        if count != len(names):
            sys.exit(f"podget downloaded {count} files of {len(names)}")
        shutil.rmtree(home)
        for name, command in others.items():
            folder = tempfile.mkdtemp(dir=ROOT)
            runs[name].append(measure(command, folder=folder))
            shutil.rmtree(folder)
    table(title, runs)


def refresh(server):
    """podget and gPodder ask the same feeds for the first time, and once more."""
    feeds = [server.url(f"feeds/{number}.xml", 1 + number % 50) for number in range(FEEDS)]
    outlines = "".join(f"<outline type='rss' text='x{number}' xmlUrl='{feed}'/>" for number, feed in enumerate(feeds))
    listing = write("feeds.opml", f"<opml version='2.0'><body>{outlines}</body></opml>")
    first = {"podget": [], "gPodder": []}
    again = {"podget": [], "gPodder": []}
    for _ in range(ROUNDS):
        home = tempfile.mkdtemp(dir=ROOT)
        podget(home, "import", listing)
        first["podget"].append(podget(home, "refresh"))
        again["podget"].append(podget(home, "refresh"))
        shutil.rmtree(home)
        home = tempfile.mkdtemp(dir=ROOT)
        environment = dict(os.environ, HOME=home, GPODDER_HOME=home)
        # Its import fetches the feeds; it has no other first time.
        first["gPodder"].append(measure(["gpo", "import", listing], environment))
        again["gPodder"].append(measure(["gpo", "update"], environment))
        shutil.rmtree(home)
    table(f"{FEEDS} feeds of 100 episodes, first time", first)
    table("the same feeds with nothing new", again)


def table(title, runs):
    results = {name: medians(rows) for name, rows in runs.items()}
    print(f"| {title} | wall s | CPU s | peak MB | wall, times podget |\n|---|---|---|---|---|")
    for name, (wall, cpu, peak) in results.items():
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {wall / results['podget'][0]:.2f} |")
    print(flush=True)


make_files()
subprocess.run([sys.executable, "Benchmarks/refresh/generate.py", f"{FILES}/feeds", str(FEEDS), "100"], check=True)
try:
    with Server(ROOT, FILES, hosts=50) as server:
        server.wait("small0.mp3")
        print("## The whole program\n")
        print(f"`Benchmarks/peers/run`, {platform.machine()}, {os.cpu_count()} processors; "
              f"curl {version('curl', '--version')}, aria2 {version('aria2c', '--version')}, "
              f"wget2 {version('wget2', '--version')}, gPodder {version('dpkg-query', '-W', '-f', '${Version}', 'gpodder')}; medians of {ROUNDS}. "
              "podget reads the feed, remembers what it did, syncs each file to the disk and writes playlists; the others "
              "fetch a list of addresses.\n")
        download("one file of 1 GB", ["big0.mp3"], 1, server)
        download("three files of 1 GB at once", [f"big{number}.mp3" for number in range(3)], 3, server)
        download(f"{SMALL_FILES} files of 100 KB, eight at once", [f"small{n}.mp3" for n in range(SMALL_FILES)], 8, server)
        refresh(server)
finally:
    shutil.rmtree(ROOT)
