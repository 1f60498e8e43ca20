#!/bin/sh
: > "$ARENA/ws/ran2"
echo x > "$ARENA/outside/pwned"; echo x > sub/pwned
