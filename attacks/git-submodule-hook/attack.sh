#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
mkdir -p .git/modules/lib/hooks; cp evil .git/modules/lib/hooks/pre-commit
