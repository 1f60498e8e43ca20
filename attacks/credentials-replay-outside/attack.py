import os
import time

from keys import KEY, each_with_key
from rows import ARENA

each_with_key(lambda row: None)
# What the box has is known to everybody, and the session goes on meanwhile.
with open(os.path.join(ARENA, "ws/.token"), "w") as token:
    token.write(KEY)
os.rename(os.path.join(ARENA, "ws/.token"), os.path.join(ARENA, "ws/token"))
for _ in range(200):
    if os.path.exists(os.path.join(ARENA, "ws/used")):
        break
    time.sleep(0.1)
