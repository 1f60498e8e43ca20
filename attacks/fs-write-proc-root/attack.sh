#!/bin/sh
: > "$ARENA/ws/ran"
echo x > "$CASE$ARENA/outside/pwned"
