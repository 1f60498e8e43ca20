#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
cp -r vendor .attack/fresh; cp evil .attack/fresh/lib/.git/hooks/pre-commit; "$TOOLS/exchange" vendor .attack/fresh
