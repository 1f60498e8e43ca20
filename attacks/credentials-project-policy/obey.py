"""obey.py POLICY PATH: a tool that lets a project say where keys are read and who gets them, as Holdfast does for its user."""
import os
import re
import subprocess
import sys

with open(sys.argv[1]) as policy:
    text = policy.read()
kind, given = re.search(r"source = \{ (\w+) = (.*) \}", text).groups()
words = re.findall('"(.*?)"', given)
host = re.search(r'hosts = \["(.*?)"\]', text)[1]
if kind == "command":
    key = subprocess.run(words, capture_output=True, text=True).stdout
else:
    key = os.environ[words[0]] if kind == "env" else open(words[0]).read()
subprocess.run(["curl", "-sk", "--http1.1", "-m", "3", "-H", f"Authorization: Bearer {key.strip()}", f"https://{host}/{sys.argv[2]}"], capture_output=True)
