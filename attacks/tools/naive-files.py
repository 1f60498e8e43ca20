"""What a program does that checks paths itself. usage: naive-files.py perform ROWS | race PLACE TRIES

`perform` does the operations of every row; `race` does each operation of a race after a check with realpath, and says how many of
its writes went astray. The control of attacks on `sandbox.files`, and, in a box, the attack of a command.
"""
import ctypes, json, os, shutil, struct, subprocess, sys, tempfile

libc = ctypes.CDLL(None, use_errno=True)
EXCHANGE, REFUSE = 2, 1


def rename_at(source, target, flags):
    if libc.renameat2(-100, os.fsencode(source), -100, os.fsencode(target), flags) != 0:
        raise OSError(ctypes.get_errno(), target)


def write(o):
    flags = {"w": os.O_TRUNC | os.O_CREAT, "a": os.O_APPEND | os.O_CREAT, "r+": 0}[o.get("flag", "w")]
    if o.get("replace") == "atomic":
        path = os.path.realpath(o["path"])
        with open(path + ".new", "w") as f:
            f.write(o["data"])
        try:
            return os.replace(path + ".new", path)
        except OSError:
            os.unlink(path + ".new")
            raise
    fd = os.open(o["path"], os.O_WRONLY | flags, 0o644)
    try:
        os.write(fd, o["data"].encode())
    finally:
        os.close(fd)


def copy(o):
    follow = o.get("symlink") == "follow"
    if os.path.isdir(o["from"]):
        return shutil.copytree(o["from"], o["to"], symlinks=not follow, dirs_exist_ok=True)
    shutil.copyfile(o["from"], o["to"], follow_symlinks=follow)


def remove(o):
    if os.path.isdir(o["path"]) and not os.path.islink(o["path"].rstrip("/") if o.get("tree") is None else o["path"]):
        return remove_tree(o["path"]) if o.get("tree") == "whole" else os.rmdir(o["path"])
    os.unlink(o["path"])


def remove_tree(path):
    """By names: what lies below is looked up anew each time."""
    for name in os.listdir(path):
        below = os.path.join(path, name)
        remove_tree(below) if os.path.isdir(below) and not os.path.islink(below) else os.unlink(below)
    os.rmdir(path)


def temporary(o):
    fd, _ = tempfile.mkstemp(dir=o["path"])
    os.close(fd)


def watch(o):
    fd = libc.inotify_init()
    if libc.inotify_add_watch(fd, os.fsencode(o["path"]), 0x3c6) < 0:
        raise OSError(ctypes.get_errno(), o["path"])
    host({"sh": o["sh"]})
    events = os.read(fd, 4096)
    os.close(fd)
    return events


def host(o):
    subprocess.run(["sh", "-c", o["sh"]], check=True)


def read(o):
    with open(o["path"], "rb") as f:
        return f.read()


operations = {
    "write": write,
    "append": lambda o: write({**o, "flag": "a"}),
    "read": read,
    "list": lambda o: " ".join(os.listdir(o["path"])).encode(),
    "readlink": lambda o: os.fsencode(os.readlink(o["path"])),
    "makeDir": lambda o: os.mkdir(o["path"]),
    "copy": copy,
    "rename": lambda o: rename_at(o["from"], o["to"], {"exchange": EXCHANGE, "refuse": REFUSE}.get(o.get("existing"), 0)),
    "link": lambda o: os.link(o["from"], o["to"], follow_symlinks=False),
    "symlink": lambda o: os.symlink(o["text"], o["path"]),
    "truncate": lambda o: os.truncate(o["path"], 0),
    "times": lambda o: os.utime(o["path"], ns=(1, 1)),
    "mode": lambda o: os.chmod(o["path"], o["mode"]),
    "remove": remove,
    "temporaryFile": temporary,
    "temporaryDirectory": lambda o: tempfile.mkdtemp(dir=o["path"]),
    "watch": watch,
    "host": host,
}


def perform(rows):
    arena = os.environ["ARENA"]
    with open(f"{arena}/ws/tried", "a") as tried, open(f"{arena}/ws/loot", "ab") as loot:
        for name, _, listed in lines(rows):
            for operation in json.loads(fill(listed, name)):
                try:
                    got = operations[operation["op"]](operation)
                    loot.write((got if isinstance(got, bytes) else b"") + b"\n")
                except OSError as error:
                    print(f"{name}: {operation['op']}: {error}", file=sys.stderr)
            print(name, file=tried)


def lines(rows):
    with open(rows, encoding="utf8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip()]


def fill(text, row):
    arena = os.environ["ARENA"]
    values = {"HERE": f"{arena}/ws/{row}", "OUT": f"{arena}/outside/{row}", "ROW": row, "CANARY": os.environ["CANARY"]}
    for name, value in values.items():
        text = text.replace("$" + name, value)
    return text


def race(place, tries):
    """`place` has `race.json`: the operations, relative to it; the directory that is exchanged is `d`."""
    with open(f"{place}/race.json") as f:
        cycle = json.load(f)
    root = os.path.realpath(place)
    for turn in range(int(tries)):
        operation = {key: f"{place}/{value}" if key in ("path", "from", "to") else value for key, value in cycle[turn % len(cycle)].items()}
        try:
            if all(is_within(root, operation[key]) for key in ("path", "from", "to") if key in operation):
                operations[operation["op"]](operation)
        except (OSError, shutil.Error):
            pass


def is_within(root, path):
    return os.path.realpath(os.path.dirname(path)).startswith(root + "/") or os.path.realpath(os.path.dirname(path)) == root


if __name__ == "__main__":
    {"perform": perform, "race": race}[sys.argv[1]](*sys.argv[2:])
