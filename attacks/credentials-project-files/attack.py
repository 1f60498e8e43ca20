import os
import subprocess

from keys import each_with_key
from rows import ARENA

each_with_key(lambda row, command: subprocess.run(["sh", "-c", command], cwd=os.path.join(ARENA, "ws"), capture_output=True, timeout=15), workers=3)
