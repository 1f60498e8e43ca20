import subprocess

from rows import each_answer, seconds


def fetch(row, url):
    return subprocess.run(["curl", "-sgk", "-m", seconds(2), "-L", url], capture_output=True).stdout.splitlines(True)[-1]


each_answer(fetch)
