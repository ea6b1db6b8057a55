"""Refreshes the same feeds with podget, newsboat and curl in turn, and prints medians as tables in Markdown.

nginx serves them on 127.0.0.1 to 127.0.0.50, so that the limit of two requests to one host stays on.
"""
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from measuring import Server, measure, medians

PODGET = sys.argv[1]
FEEDS = int(os.environ.get("FEEDS", "500"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))
HOSTS = 50
ROOT = tempfile.mkdtemp(prefix="podget-refresh-")


def serve(folder):
    """Shows nginx another set of feeds."""
    link = f"{ROOT}/www"
    os.symlink(folder, link + "-new")
    os.rename(link + "-new", link)


def generate(episodes):
    folder = f"{ROOT}/{episodes}"
    subprocess.run([sys.executable, "Benchmarks/refresh/generate.py", folder, str(FEEDS), str(episodes)], check=True)
    return folder


def write(name, text):
    with open(f"{ROOT}/{name}", "w") as file:
        file.write(text)
    return f"{ROOT}/{name}"


def subscribed_home():
    """A home that knows the feeds and none of their episodes."""
    serve(EMPTY)
    home = f"{ROOT}/home-empty"
    outlines = "".join(f'<outline type="rss" text="x" xmlUrl="{address}"/>' for address in ADDRESSES)
    measure([PODGET, "subscribe", write("feeds.opml", f"<opml version='2.0'><body>{outlines}</body></opml>")], podget(home))
    return home


def podget(home):
    return dict(os.environ, PODGET_HOME=home)


def conditional_curl():
    """curl's settings for the requests of a second refresh, each with the validators of its feed."""
    parts = []
    for address in ADDRESSES:
        with urllib.request.urlopen(urllib.request.Request(address, method="HEAD")) as answer:
            etag = answer.headers["ETag"].replace('"', '\\"')
            parts.append(f'url = "{address}"\noutput = "/dev/null"\nheader = "If-None-Match: {etag}"\n'
                         f'header = "If-Modified-Since: {answer.headers["Last-Modified"]}"\n')
    return write("conditional.cfg", "next\n".join(parts))


def fetch_and_parse(addresses):
    """One feed after the other into a file, then into libxml2's tree: what a small downloader such as castget does."""
    folder = f"{ROOT}/fetched"
    os.makedirs(folder, exist_ok=True)
    config = write("files.cfg", "".join(
        f'url = "{address}"\noutput = "{folder}/{number}.xml"\n' for number, address in enumerate(addresses)))
    return ["sh", "-c", f"curl --no-progress-meter --config {config} && xmllint --noout {folder}/*.xml"]


CURL = ["curl", "--no-progress-meter", "--parallel", "--parallel-max", "32", "--config"]


def podget_round(feeds, empty_home, rows, suffix=""):
    home = f"{ROOT}/home"
    shutil.copytree(empty_home, home)
    serve(feeds)
    rows[f"podget, first{suffix}"].append(measure([PODGET, "refresh"], podget(home)))
    rows[f"podget, unchanged{suffix}"].append(measure([PODGET, "refresh"], podget(home)))
    shutil.rmtree(home)


def newsboat_round(feeds, rows):
    home = tempfile.mkdtemp(dir=ROOT)
    config = write("newsboat-config", "reload-threads 8\n")
    urls = write("urls", "".join(f"{address}\n" for address in ADDRESSES))
    command = ["newsboat", "-C", config, "-u", urls, "-c", f"{home}/cache.db", "-x", "reload"]
    serve(feeds)
    environment = dict(os.environ, HOME=home)
    rows["newsboat, first"].append(measure(command, environment))
    # newsboat 2.21 keeps no validators at the first sight of a feed: its second reload fetches everything again.
    measure(command, environment)
    rows["newsboat, unchanged"].append(measure(command, environment))
    shutil.rmtree(home)


def main():
    rows = {name: [] for name in (
        "podget, first", "newsboat, first", "curl --parallel, all", "curl, then xmllint", "podget, unchanged", "newsboat, unchanged",
        "curl --parallel, conditional", "podget, first, 10 episodes", "podget, unchanged, 10 episodes")}
    full, small = generate(100), generate(10)
    home = subscribed_home()
    plain = write("plain.cfg", "".join(f'url = "{address}"\noutput = "/dev/null"\n' for address in ADDRESSES))
    serve(full)
    conditional = conditional_curl()
    size = sum(os.path.getsize(f"{full}/{name}") for name in os.listdir(full)) / 1e6
    for _ in range(ROUNDS):
        podget_round(full, home, rows)
        newsboat_round(full, rows)
        rows["curl --parallel, all"].append(measure(CURL + [plain]))
        rows["curl, then xmllint"].append(measure(fetch_and_parse(ADDRESSES)))
        rows["curl --parallel, conditional"].append(measure(CURL + [conditional]))
        podget_round(small, home, rows, ", 10 episodes")
    result = {name: medians(runs) for name, runs in rows.items()}
    print("## Refresh\n")
    print(f"`Benchmarks/refresh/run`, {platform.machine()}, {os.cpu_count()} processors, "
          f"{subprocess.run(['newsboat', '-v'], capture_output=True, text=True).stdout.split(' - ')[0].strip()}; "
          f"medians of {ROUNDS}\n")
    print(f"| {FEEDS} feeds with 100 episodes, {size:.0f} MB | wall s | CPU s | peak MB |\n|---|---|---|---|")
    for name, (wall, cpu, peak) in result.items():
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |")
    ratio = lambda left, right: result[left][0] / result[right][0]
    print("\n| ratio of wall times | is | aim |\n|---|---|---|")
    print(f"| first: newsboat / podget | {ratio('newsboat, first', 'podget, first'):.1f} | at least 8 |")
    print(f"| first: podget / fetch and parse | {ratio('podget, first', 'curl, then xmllint'):.1f} | at most 1 |")
    print(f"| first: podget / curl | {ratio('podget, first', 'curl --parallel, all'):.1f} | at most 5 |")
    print(f"| unchanged: newsboat / podget | {ratio('newsboat, unchanged', 'podget, unchanged'):.1f} | at least 50 |")
    print(f"| unchanged: podget / curl | {ratio('podget, unchanged', 'curl --parallel, conditional'):.1f} | at most 3 |")
    print(f"| unchanged: 100 episodes / 10 episodes | "
          f"{ratio('podget, unchanged', 'podget, unchanged, 10 episodes'):.2f} | 1 |")


EMPTY = generate(0)
serve(EMPTY)
with Server(ROOT, f"{ROOT}/www", HOSTS) as server:
    ADDRESSES = [server.url(f"{number}.xml", 1 + number % HOSTS) for number in range(FEEDS)]
    server.wait("0.xml")
    main()
