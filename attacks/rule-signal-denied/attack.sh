#!/bin/sh
: > "$ARENA/ws/ran"
python3 - "$CASE" << 'END'
import ctypes, os, signal, subprocess, sys, time
how = sys.argv[1]
child = subprocess.Popen(["sleep", "60"], start_new_session=how == "group")
time.sleep(0.2)
libc = ctypes.CDLL(None)
tkill, tgkill, queue = (130, 131, 138) if os.uname().machine == "aarch64" else (200, 234, 129)
pid, kill = child.pid, int(signal.SIGKILL)
info = (ctypes.c_int * 32)(kill, 0, -1)
try:
    if how == "kill": os.kill(pid, kill)
    elif how == "group": os.killpg(pid, kill)
    elif how == "tkill": libc.syscall(tkill, pid, kill)
    elif how == "tgkill": libc.syscall(tgkill, pid, pid, kill)
    elif how == "queue": libc.syscall(queue, pid, kill, info)
    elif how == "descriptor": signal.pidfd_send_signal(os.pidfd_open(pid), kill)
except OSError: pass
time.sleep(0.3)
print(child.poll(), file=open("loot", "w"))
child.terminate()
END
