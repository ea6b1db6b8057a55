"""What the measurements share: a server on loopback, and what one run of a program costs."""
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

CONFIGURATION = """
worker_processes 1; daemon off; pid {root}/nginx.pid; error_log {root}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; client_body_temp_path {root}/t1; proxy_temp_path {root}/t2;
  fastcgi_temp_path {root}/t3; uwsgi_temp_path {root}/t4; scgi_temp_path {root}/t5;
  types {{ application/rss+xml xml; audio/mpeg mp3; }} keepalive_requests 100000;
  server {{ {listen} root {folder}; }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def measure(command, environment=None, folder=None, allowed=(0,)):
    """Wall seconds, CPU seconds and peak megabytes of one run."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, cwd=folder,
                               stdin=subprocess.DEVNULL)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) not in allowed:
        sys.exit(f"{command[0]} failed: {output.decode()[-500:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def medians(runs):
    return [statistics.median(column) for column in zip(*runs)]


class Server:
    """nginx with the files of a folder, on the first addresses of 127.0.0.0/8."""

    def __init__(self, root, folder, hosts=1):
        self.port = free_port()
        os.chmod(root, 0o755)
        listen = " ".join(f"listen 127.0.0.{host}:{self.port};" for host in range(1, hosts + 1))
        with open(f"{root}/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(root=root, folder=folder, listen=listen))
        self.process = subprocess.Popen(["nginx", "-c", f"{root}/nginx.conf", "-p", root,
                                         "-g", "user root;" if os.geteuid() == 0 else ""])

    def url(self, path, host=1):
        return f"http://127.0.0.{host}:{self.port}/{path}"

    def wait(self, path):
        """Waits until the server answers for a path."""
        while True:
            try:
                urllib.request.urlopen(self.url(path)).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    sys.exit("nginx did not start")
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
