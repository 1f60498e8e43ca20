"""slow-answer.py COMMAND...: somebody at a terminal, who says no after five seconds. What was there before that goes to `$ARENA/notes/seen`."""
import os
import pty
import select
import signal
import subprocess
import sys
import time

arena, canary = os.environ["ARENA"], os.environ["CANARY"]
canaries = [os.path.join(arena, place) for place in ("ws/loot", "outside/tripped", "world/heard")]


def has(mark):
    return any(os.path.exists(place) and f"{canary}-{mark}-" in open(place, errors="replace").read() for place in canaries)


def client_runs():
    """Whether a program of the client has started. Holdfast's own command line names it too, behind its options."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{entry}/cmdline").read().split("\0")
        except OSError:
            continue
        if words[0] in ("sh", "python3") and any("/.attack/attack.sh" in word for word in words[1:2]) and any(arena in word for word in words):
            return True
    return False


def listen(master, seconds):
    """Reads what is on the terminal for so long, or until it is gone; whether it still is there."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([master], [], [], left)[0]:
            try:
                sys.stdout.buffer.write(os.read(master, 4096))
            except OSError:
                return False
    return True


child, master = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
listen(master, 5)
with open(os.path.join(arena, "notes/seen"), "w") as seen:
    seen.writelines(f"{row}\n" for row in ("marker", "connection") if has(row))
    if client_runs():
        seen.write("process\n")
os.write(master, b"n\n")
if listen(master, 8):
    os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
with open(os.path.join(arena, "notes/seen"), "a") as seen:
    if any(map(has, ("after-no", "marker", "connection"))):
        seen.write("after-no\n")
if not os.path.exists(os.path.join(arena, "ws/ran")):
    # Whoever said no to a box begins one without the question, so that there is something to see.
    subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True)
with open(os.path.join(arena, "ws/tried"), "w") as tried:
    tried.write("marker\nconnection\nprocess\nafter-no\n")
