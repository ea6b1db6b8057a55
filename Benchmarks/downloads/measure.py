"""Runs the download benchmark and curl in turn, and prints a table."""
import os, resource, shutil, socket, statistics, subprocess, sys, tempfile, time

PROGRAM = sys.argv[1]
ROUNDS = int(os.environ.get("ROUNDS", "5"))
SMALL_FILES = int(os.environ.get("SMALL_FILES", "10000"))

CONFIGURATION = """
worker_processes 1; daemon off; pid {root}/nginx.pid; error_log {root}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off; sendfile on; client_body_temp_path {root}/t1; proxy_temp_path {root}/t2;
  fastcgi_temp_path {root}/t3; uwsgi_temp_path {root}/t4; scgi_temp_path {root}/t5;
  types {{ audio/mpeg mp3; }} keepalive_requests 100000;
  server {{ listen 127.0.0.1:{port}; root {root}/files; }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_files(folder):
    os.makedirs(folder)
    block = b"ID3\x04\0\0\0\0\0\0" + os.urandom((1 << 20) - 10)
    for number in range(3):
        with open(f"{folder}/big{number}.mp3", "wb") as file:
            for _ in range(1000):
                file.write(block)
    for number in range(SMALL_FILES):
        with open(f"{folder}/small{number}.mp3", "wb") as file:
            file.write(block[: 4096 + number % 4096])


def measure(make_command, standard_input=None, keeps=False):
    """Runs a command in a fresh folder; returns wall clock and CPU seconds.

    With `keeps` the files stay until the end: ext4 looks past the inodes of files that were deleted in the last minutes,
    so that ten thousand of them would slow down whatever makes files next.
    """
    folder = tempfile.mkdtemp(dir=ROOT)
    command = make_command(folder)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
    output, _ = process.communicate(standard_input)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed: {output.decode()[-500:]}")
    if not keeps:
        shutil.rmtree(folder)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def peak_memory(command, folder, standard_input):
    """Runs a command under GNU time's accounting of our own child: peak resident set in MB."""
    pid = os.fork()
    if pid == 0:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=folder)
        process.communicate(standard_input)
        os.write(REPORT[1], str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
        os._exit(0)
    os.waitpid(pid, 0)
    return int(os.read(REPORT[0], 32)) / 1024


def compare(title, addresses, parallel):
    listing = "\n".join(addresses).encode()
    config = f"{ROOT}/curl.cfg"
    with open(config, "w") as file:
        for address in addresses:
            file.write(f'url = "{address}"\nremote-name\n')
    width = ["--parallel", "--parallel-max", str(parallel)] if parallel > 1 else []
    ours = lambda folder: [PROGRAM, folder, str(parallel)]
    theirs = lambda folder: ["curl", "--no-progress-meter", *width, "--config", config]
    results = {"ours": [], "curl": []}
    keeps = len(addresses) > 100
    for _ in range(ROUNDS):
        results["curl"].append(measure(theirs, keeps=keeps))
        results["ours"].append(measure(ours, listing, keeps=keeps))
    folder = tempfile.mkdtemp(dir=ROOT)
    memory = peak_memory(ours(folder), folder, listing)
    shutil.rmtree(folder)
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}
    wall = medians["ours"][0] / medians["curl"][0]
    cpu = medians["ours"][1] / medians["curl"][1]
    print(f"| {title} | {medians['ours'][0]:.2f} | {medians['curl'][0]:.2f} | {wall:.2f} "
          f"| {medians['ours'][1]:.2f} | {medians['curl'][1]:.2f} | {cpu:.2f} | {memory:.0f} |", flush=True)


def compare_memory(addresses, parallel):
    """Prints the peak memory of ours for a tenth of the files and for all."""
    peaks = []
    for count in (len(addresses) // 10, len(addresses)):
        folder = tempfile.mkdtemp(dir=ROOT)
        listing = "\n".join(addresses[:count]).encode()
        peaks.append(f"{peak_memory([PROGRAM, folder, str(parallel)], folder, listing):.1f} MB for {count} files")
        shutil.rmtree(folder)
    print("\nPeak memory: " + ", ".join(peaks), flush=True)


def compare_progress(address):
    """Prints what telling the progress costs: processor time with and without, in turn."""
    seconds = {"with": [], "without": []}
    for _ in range(ROUNDS * 2):
        seconds["with"].append(measure(lambda folder: [PROGRAM, folder, "1"], address.encode())[1])
        without = measure(lambda folder: [PROGRAM, folder, "1", "no-progress"], address.encode())
        seconds["without"].append(without[1])
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print(f"\nProgress: {medians['with']:.3f} CPU s with, {medians['without']:.3f} without", flush=True)


ROOT = tempfile.mkdtemp(prefix="podget-bench-")
REPORT = os.pipe()
PORT = free_port()
make_files(f"{ROOT}/files")
with open(f"{ROOT}/nginx.conf", "w") as file:
    file.write(CONFIGURATION.format(root=ROOT, port=PORT))
os.chmod(ROOT, 0o755)
server = subprocess.Popen(["nginx", "-c", f"{ROOT}/nginx.conf", "-p", ROOT, "-g", "user root;" if os.geteuid() == 0 else ""])
try:
    time.sleep(0.5)
    base = f"http://127.0.0.1:{PORT}"
    print(f"`Benchmarks/downloads/run`, nginx on loopback; ours and curl's command line in turn, medians of {ROUNDS}\n")
    print("| what | wall s | curl s | ratio | CPU s | curl s | ratio | peak MB |")
    print("|---|---|---|---|---|---|---|---|")
    compare("one file of 1 GB", [f"{base}/big0.mp3"], 1)
    compare("three files of 1 GB at once", [f"{base}/big{n}.mp3" for n in range(3)], 3)
    small = [f"{base}/small{n}.mp3" for n in range(SMALL_FILES)]
    compare(f"{SMALL_FILES} files of 6 KB, eight at once", small, 8)
    compare_memory(small, 8)
    compare_progress(f"{base}/big0.mp3")
finally:
    server.terminate()
    server.wait()
    shutil.rmtree(ROOT)
