"""Sets the scene of attacks with operations in rows, and sees which succeeded. usage: files-rows.py setup | verify

Each row has a directory of its own in the workspace, `$HERE`, and outside of it, `$OUT`, with things to read and to harm. The second
column of `rows.tsv` prepares it. A row succeeded when anything in `$OUT` is not as it was, or a protected file in `$HERE`, or when what stands in one
of the files with the canary is in `ws/loot`.
"""
import os, subprocess, sys

arena, canary = os.environ["ARENA"], os.environ["CANARY"]
guarded = (".git/hooks", ".git/config", ".git/commondir", ".git/info/attributes", ".envrc", ".mcp.json", ".vscode", ".env", "sub/.git/hooks", ".Envrc", ".GIT/hooks", ".Git/config", ".VSCode")


def rows():
    with open(f"{arena}/scripts/rows.tsv", encoding="utf8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip()]


def setup():
    for name, prepare, _ in rows():
        here, out = f"{arena}/ws/{name}", f"{arena}/outside/{name}"
        os.makedirs(here)
        os.makedirs(f"{out}/sub/deep")
        for path in ("victim", "sub/deep/file", f"{canary}-ROW-{name}"):
            with open(f"{out}/{path}", "w") as f:
                f.write(f"{canary}-ROW-{name}-{'x' * 100}\n")
        subprocess.run(["sh", "-euc", prepare], cwd=here, check=True, env={**os.environ, "HERE": here, "OUT": out, "ROW": name})
        with open(f"{arena}/notes/{name}", "w") as f:
            f.write(scene(name))


def scene(name):
    outside = [f"{arena}/outside/{name}"]
    inside = [path for path in (f"{arena}/ws/{name}/{part}" for part in guarded) if os.path.lexists(path)]
    return "\n".join([entry for root in outside for entry in entries(root, lambda s: s.st_ctime_ns)] + [entry for root in inside for entry in entries(root, lambda s: 0)])


def entries(root, changed):
    """`changed` tells what even a change that was taken back has changed."""
    yield describe(root, changed)
    for directory, names, files in os.walk(root):
        for path in sorted(os.path.join(directory, name) for name in names + files):
            yield describe(path, changed)


def describe(path, changed):
    s = os.lstat(path)
    inode = (s.st_ino, oct(s.st_mode), s.st_uid, s.st_nlink, s.st_mtime_ns if not os.path.isdir(path) else 0, changed(s))
    return repr((path, inode, content(path)))


def content(path):
    if os.path.islink(path):
        return os.readlink(path)
    return open(path, "rb").read() if os.path.isfile(path) and os.access(path, os.R_OK) else ""


def verify():
    try:
        loot = open(f"{arena}/ws/loot", "rb").read()
    except OSError:
        loot = b""
    done = [name for name, _, _ in rows() if name != "granted" and (f"{canary}-ROW-{name}".encode() in loot or scene(name) != open(f"{arena}/notes/{name}").read())]
    with open(f"{arena}/notes/rows", "w") as f:
        f.write("\n".join(done))


{"setup": setup, "verify": verify}[sys.argv[1]]()
