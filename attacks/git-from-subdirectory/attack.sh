#!/bin/sh
: > "$ARENA/ws/ran"
cd ..
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
cp evil .git/hooks/pre-commit
