#!/bin/sh
cat > .attack/moved.py <<'END'
import ctypes, os, sys, time
fd = os.open("d", os.O_RDONLY | os.O_DIRECTORY)
ws = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
os.fchdir(fd)
os.close(os.open("ready", os.O_CREAT | os.O_WRONLY, dir_fd=ws))
until = time.time() + 10
while time.time() < until:
    try:
        os.stat("go", dir_fd=ws)
        break
    except OSError:
        time.sleep(0.02)
def write(path, dir_fd=None): os.write(os.open(path, os.O_CREAT | os.O_WRONLY, dir_fd=dir_fd), b"x")
def loot(data): os.write(os.open("loot", os.O_CREAT | os.O_WRONLY, dir_fd=ws), data)
def read(path): return os.read(os.open(path, os.O_RDONLY, dir_fd=fd), 100)
def exchange():
    if ctypes.CDLL(None).renameat2(fd, b"f", fd, b"../secret", 2) != 0: raise OSError("renameat2")
def up():
    os.fchdir(fd); os.chdir(".."); write("pwned")
def link_in():
    os.link("../secret", "got", src_dir_fd=fd, dst_dir_fd=fd); loot(read("got")); os.unlink("got", dir_fd=fd)
try:
    {
        "write": lambda: write("../pwned", fd),
        "make-directory": lambda: os.mkdir("../pwned", dir_fd=fd),
        "rename-out": lambda: os.rename("f", "../pwned", src_dir_fd=fd, dst_dir_fd=fd),
        "rename-in": lambda: os.rename("../secret", "got", src_dir_fd=fd, dst_dir_fd=fd),
        "exchange": exchange,
        "link-out": lambda: os.link("f", "../pwned", src_dir_fd=fd, dst_dir_fd=fd),
        "link-in": link_in,
        "symlink": lambda: os.symlink("x", "../pwned", dir_fd=fd),
        "remove": lambda: os.unlink("../secret", dir_fd=fd),
        "remove-directory": lambda: os.rmdir("../victims", dir_fd=fd),
        "truncate": lambda: os.open("../secret", os.O_WRONLY | os.O_TRUNC, dir_fd=fd),
        "read": lambda: loot(read("../secret")),
        "list": lambda: loot(os.environ["CANARY"].encode() if "secret" in os.listdir(os.open("..", os.O_RDONLY, dir_fd=fd)) else b""),
        "proc-self-cwd": lambda: write("/proc/self/cwd/../pwned"),
        "proc-self-fd": lambda: write(f"/proc/self/fd/{fd}/../pwned"),
        "change-directory": up,
    }[sys.argv[1]]()
except OSError as error:
    print(error, file=sys.stderr)
END
: > "$ARENA/ws/ran"
python3 .attack/moved.py "$CASE"
