import subprocess

from rows import each_answer


def fetch(row, url):
    return subprocess.run(["curl", "-sgk", "-m", "2", "-L", url], capture_output=True).stdout.splitlines(True)[-1]


each_answer(fetch)
