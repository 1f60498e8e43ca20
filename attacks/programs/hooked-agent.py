"""hooked-agent.py ROWS: an agent without a model. It does what its rows say, and calls the hooks of its settings before each tool, as Claude Code, Codex
and Gemini CLI do; the agent `shell` has none, and gives every word to $SHELL. A row: its name, the agent, and the calls as JSON, each
`[tool, input, directory?]`. What it gets to read goes to `notes/output`. Every row begins with the settings that the first one found."""
import json, os, re, shutil, subprocess, sys

ARENA, HOME = os.environ["ARENA"], os.environ["HOME"]
WS = f"{ARENA}/ws"
SETTINGS = {
    "claude": [f"{HOME}/.claude/settings.json", f"{WS}/.claude/settings.json", f"{WS}/.claude/settings.local.json"],
    "codex": [f"{HOME}/.codex/hooks.json", f"{WS}/.codex/hooks.json"],
    "gemini": [f"{HOME}/.gemini/settings.json", f"{WS}/.gemini/settings.json"],
    "shell": [],
}
KEPT = [path for paths in SETTINGS.values() for path in paths] + [f"{HOME}/.config/holdfast/policy.toml"]
PROJECT = {"claude": {"CLAUDE_PROJECT_DIR": WS}, "codex": {}, "gemini": {"GEMINI_PROJECT_DIR": WS}}


def event(agent):
    return "BeforeTool" if agent == "gemini" else "PreToolUse"


def keep(text):
    with open(f"{ARENA}/notes/output", "ab") as out:
        out.write(text)


def hooks(agent):
    found = []
    for path in SETTINGS[agent]:
        try:
            settings = json.load(open(path))
        except (OSError, ValueError):
            continue
        if settings.get("disableAllHooks"):
            return []
        found += [(group.get("matcher", ""), hook["command"]) for group in settings.get("hooks", {}).get(event(agent), []) for hook in group["hooks"]]
    return found


def decided(agent, tool, given, cwd):
    """The input that may be used, or None."""
    for matcher, command in hooks(agent):
        if matcher and not re.fullmatch(matcher, tool):
            continue
        message = {"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": event(agent), "tool_name": tool, "tool_input": given}
        done = subprocess.run(["sh", "-c", command], input=json.dumps(message).encode(), cwd=WS, env={**os.environ, **PROJECT[agent]}, capture_output=True)
        keep(done.stdout)
        try:
            answer = json.loads(done.stdout or b"{}") if done.returncode == 0 else {}
        except ValueError:
            answer = {}
        specific = answer.get("hookSpecificOutput", {})
        if done.returncode == 2 or answer.get("decision") == "deny" or specific.get("permissionDecision") in ("deny", "ask"):
            return None
        given = specific.get("updatedInput", specific.get("tool_input", given))
    return given


def perform(tool, given, cwd):
    if tool == "apply_patch":
        return patch(given["command"], cwd)
    path = os.path.join(cwd, given.get("file_path", given.get("path", "")))
    if "content" in given:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").write(given["content"])
    elif "old_string" in given:
        text = open(path).read()
        open(path, "w").write(text.replace(given["old_string"], given["new_string"]))
    elif "command" in given:
        for text in filter(None, (given["command"], given.get("then"))):
            keep(subprocess.run(["bash", "-c", text], cwd=given.get("dir_path", cwd), stdin=subprocess.DEVNULL, capture_output=True).stdout)
    elif "pattern" in given:
        keep(subprocess.run(["grep", "-rs", given["pattern"], path], capture_output=True).stdout)
    else:
        keep(open(path, "rb").read())


def patch(text, cwd):
    moved = re.search(r"Update File: (.*)\n\*\*\* Move to: (.*)\n", text)
    if moved:
        keep(open(os.path.join(cwd, moved[1]), "rb").read())
    else:
        perform("Write", {"file_path": re.search(r"Add File: (.*)", text)[1], "content": "\n".join(line[1:] for line in text.split("\n") if line.startswith("+"))}, cwd)


def shell(words, given, cwd):
    keep(subprocess.run([os.environ["SHELL"], *words], input=given.get("input", "").encode(), cwd=cwd, env={**os.environ, **given.get("env", {})}, capture_output=True).stdout)


def content(path):
    return open(path, "rb").read() if os.path.isfile(path) else None


def restore(before):
    for path, text in before.items():
        if content(path) == text and not os.path.islink(path):
            continue
        for there in (path, os.path.dirname(path)):
            if os.path.islink(there):
                os.unlink(there)
        if text is None:
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.lexists(path) and os.unlink(path)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "wb").write(text)


def box_words():
    """How its settings start Holdfast, which a model can read; nothing where they do not."""
    found = re.match(r"(?:'[^']*/holdfast-hook' )?(.*) hook claude \|\| exit 2$", (hooks("claude") or [("", "")])[0][1])
    return found[1] if found and "holdfast" in found[1] else "true"


def fill(text, row):
    secret = f"{ARENA}/outside/{row}"
    box = box_words()
    wide = f"cat {ARENA}/o*/{row}" if box == "true" else f"{box} 'run' '--no-prompt' '--workspace' '{ARENA}/outside' '--' 'bash' '-c' 'cat {row}'"
    names = {"ARENA": ARENA, "WS": WS, "HOME": HOME, "ROW": row, "SECRET": secret, "ANYWAY": f"{ARENA}/o*/{row}", "BOX": box, "WIDE": wide}
    return re.sub(r"@([A-Z]+)@", lambda found: json.dumps(names[found[1]])[1:-1], text)


before = {path: content(path) for path in KEPT}
for line in open(sys.argv[1]):
    row, agent, calls = line.rstrip("\n").split("\t")
    with open(f"{WS}/tried", "a") as tried:
        tried.write(f"{row}\n")
    for tool, given, *where in json.loads(fill(calls, row)):
        try:
            cwd = where[0] if where else WS
            if agent == "shell":
                shell(tool, given, cwd)
            else:
                given = decided(agent, tool, given, cwd)
                if given is not None:
                    perform(tool, given, cwd)
        except (OSError, ValueError) as error:
            print(row, error)
    restore(before)
