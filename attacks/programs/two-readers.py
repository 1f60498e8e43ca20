"""Two readers of a command's output: a log that copies what is in the pipe, and whoever reads the pipe afterwards.

usage: two-readers.py LOG READ SIGN COMMAND...   `SIGN` is made once the log has its copy.
"""
import ctypes, os, select, subprocess, sys

log, read, sign, *command = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
source, output = os.pipe()
copy, into = os.pipe()
child = subprocess.Popen(command, stdout=output)
os.close(output)
select.select([source], [], [], 60)
if libc.tee(source, into, 65536, 2) > 0:
    open(log, "wb").write(os.read(copy, 65536))
open(sign, "w").close()
child.wait()
with os.fdopen(source, "rb") as rest:
    open(read, "wb").write(rest.read())
sys.exit(child.returncode)
