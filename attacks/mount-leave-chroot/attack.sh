#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/chroot-out" "$ARENA/outside/secret" > loot
