#!/bin/sh
: > "$ARENA/ws/ran"
echo x > "$ARENA/outside/pwned"
