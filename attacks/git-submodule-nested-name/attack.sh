#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
cp evil .git/modules/third/party/deep/lib/hooks/pre-commit
