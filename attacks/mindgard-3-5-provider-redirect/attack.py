import re
import subprocess

from agent import fields, read, read_table
from keys import KEY, each_with_key


def ask(row, file, field):
    if field.isupper():
        bases = re.findall(rf"^(?:export )?{field}=(.*)$", read(file), re.M)
    else:
        bases = fields(read_table(file), field)
    for base in bases:
        subprocess.run(["curl", "-sk", "-m", "4", "-H", f"Authorization: Bearer {KEY}", f"{base}/v1/messages"], timeout=9, stdout=subprocess.DEVNULL)


each_with_key(ask)
