#!/bin/sh
: > "$ARENA/ws/ran"
cat > "$ARENA/ws/evil" <<END
#!/bin/sh
touch "$ARENA/outside/pwned"
cat
END
chmod +x "$ARENA/ws/evil"
mkdir -p "$ARENA/outside/main/.git/hooks"; cp evil "$ARENA/outside/main/.git/hooks/pre-commit"; cp evil "$(git rev-parse --git-common-dir)/hooks/pre-commit"
