"""What a program does that checks paths itself. usage: naive-files.py perform ROWS | race ROWS TRIES [unchecked]

`perform` does the operations of every row; `race` does the operation of each row TRIES times or until it went astray, each time after
a check with realpath. The control of attacks on `sandbox.files`, and, in a box, the attack of a command.
"""
import contextlib, ctypes, errno, json, os, shutil, subprocess, sys, tempfile

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
    """By names: what is below is looked up again each time."""
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
            print(name, file=tried, flush=True)


def lines(rows):
    with open(rows, encoding="utf8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip()]


def fill(text, row):
    arena = os.environ["ARENA"]
    values = {"HERE": f"{arena}/ws/{row}", "OUT": f"{arena}/outside/{row}", "ROW": row, "CANARY": os.environ["CANARY"]}
    for name, value in values.items():
        text = text.replace("$" + name, value)
    return text


NAMES = 64
# An outrun check ends the row immediately. On a busy machine, that may take a while.
PATIENCE = 50


def race(rows, tries, check="checked"):
    """The third column of `rows` is one operation, through a directory `d` that is exchanged with a symlink `link` all the while."""
    arena = os.environ["ARENA"]
    with open(f"{arena}/ws/tried", "a") as tried, open(f"{arena}/ws/loot", "ab") as loot:
        for name, _, operation in lines(rows):
            most = int(tries) * (PATIENCE if check == "checked" else 1)
            tally = Place(f"{arena}/ws/{name}", f"{arena}/outside/{name}").race(json.loads(operation), most, check == "checked", loot)
            print(f"{name}: {json.dumps(tally)}", flush=True)
            print(name, file=tried, flush=True)


class Place:
    def __init__(self, here, outside):
        self.here, self.outside = here, outside
        self.root = os.path.realpath(here)
        # The descriptor reaches the directory under any name.
        self.d = f"/proc/self/fd/{os.open(f'{here}/d', os.O_PATH | os.O_DIRECTORY)}"

    def race(self, operation, tries, check, loot):
        swapper = subprocess.Popen([f"{os.environ['TOOLS']}/exchange", f"{self.here}/d", f"{self.here}/link", "1000000000000"])
        tally, before = {"tries": 0, "done": 0}, self.seen()
        try:
            while tally["tries"] < tries and self.seen() == before and "stolen" not in tally:
                self.restore()
                for turn in range(min(NAMES, tries - tally["tries"])):
                    self.attempt({key: self.named(key, value, turn) for key, value in operation.items()}, check, tally, loot)
        finally:
            swapper.kill()
            swapper.wait()
            if os.path.islink(f"{self.here}/d"):
                rename_at(f"{self.here}/d", f"{self.here}/link", EXCHANGE)
            self.restore()
        return {**tally, **({} if self.seen() == before else {"escaped": True})}

    def named(self, key, value, turn):
        value = value.replace("#8", str(turn % 8)).replace("#", str(turn)) if isinstance(value, str) else value
        return f"{self.here}/{value}" if key in ("path", "from", "to") else value

    def attempt(self, operation, check, tally, loot):
        tally["tries"] += 1
        try:
            paths = [operation[key] for key in ("path", "from", "to") if key in operation]
            if check and not all(is_within(self.root, path) for path in paths):
                return count(tally, "seen")
            got = operations[operation["op"]](operation)
            if operation.get("to", "").startswith(f"{self.here}/got") and operation["op"] == "copy":
                got = read({"path": operation["to"]})
            if isinstance(got, bytes) and os.environ["CANARY"].encode() in got:
                loot.write(got + b"\n")
                tally["stolen"] = True
            tally["done"] += 1
        except shutil.Error:
            count(tally, "copy")
        except OSError as error:
            count(tally, errno.errorcode.get(error.errno, str(error.errno)))

    def restore(self):
        """Everything as it was, except for what lies outside."""
        for directory in (self.d, f"{self.here}/seed"):
            missing = set(wanted) - set(os.listdir(directory))
            for extra in set(os.listdir(directory)) - set(wanted):
                put_right(drop, f"{directory}/{extra}")
            for name in [*missing, *wanted[NAMES:]]:
                put_right(make, f"{directory}/{name}")
        for name in os.listdir(self.here):
            if name.startswith("got"):
                drop(f"{self.here}/{name}")

    def seen(self):
        try:
            return [(e.path, e.stat(follow_symlinks=False)[:8], e.stat(follow_symlinks=False).st_ctime_ns) for e in walk(self.outside)]
        except OSError:
            return []


wanted = [f"f{n}" for n in range(NAMES)] + [f"t{n}" for n in range(8)]


def walk(directory):
    with os.scandir(directory) as found:
        for entry in sorted(found, key=lambda e: e.name):
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from walk(entry.path)


def make(path):
    try:
        if "/t" in path[-4:]:
            os.makedirs(f"{path}/deep", exist_ok=True)
            path += "/deep/file"
        if not os.path.lexists(path):
            with open(path, "x") as f:
                f.write("ours\n")
    except FileExistsError:
        pass


def put_right(step, path):
    """A supervisor that finds a directory by its name may not find one that moves meanwhile: then it is put right the next time."""
    with contextlib.suppress(FileNotFoundError):
        step(path)


def drop(path):
    shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)


def count(tally, what):
    tally[what] = tally.get(what, 0) + 1


def is_within(root, path):
    """The check that every such program has, and that is true only when it is made."""
    return (os.path.realpath(os.path.dirname(path)) + "/").startswith(root + "/")


if __name__ == "__main__":
    {"perform": perform, "race": race}[sys.argv[1]](*sys.argv[2:])
