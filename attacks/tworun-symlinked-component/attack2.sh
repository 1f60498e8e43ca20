#!/bin/sh
: > "$ARENA/ws/ran2"
echo x > packages/app/pwned
