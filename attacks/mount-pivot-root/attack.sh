#!/bin/sh
: > "$ARENA/ws/ran"
unshare --mount sh -c 'mount --bind "$ARENA/ws" "$ARENA/ws"; cd "$ARENA/ws"; mkdir -p old; pivot_root . old; read -r line < /old$ARENA/outside/secret; echo "$line"' > loot
