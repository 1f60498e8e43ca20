import subprocess

from rows import each_answer, seconds


def fetch(row, url):
    return subprocess.run(["curl", "-sgk", "-m", seconds(1), url], capture_output=True).stdout


each_answer(fetch)
