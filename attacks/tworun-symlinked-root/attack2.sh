#!/bin/sh
: > "$ARENA/ws/ran2"
echo x > build/pwned
