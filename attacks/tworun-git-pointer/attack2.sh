#!/bin/sh
: > "$ARENA/ws/ran2"
echo x > "$ARENA/outside/repo/.git/pwned"
