#!/bin/sh
# The naive prompt: it asks about `true` and shows its words.
set -eu
mkdir "$ARENA/outside/naive"
cat > "$ARENA/outside/naive/true" <<'SCRIPT'
#!/bin/sh
printf 'naive asks: run true %s\n' "$*" >> "$ARENA/notes/shown"
SCRIPT
chmod 755 "$ARENA/outside/naive/true"
mkfifo "$ARENA/keys"
: > "$ARENA/notes/shown"
