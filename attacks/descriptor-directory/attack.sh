#!/bin/sh
: > "$ARENA/ws/ran"
cat /proc/self/fd/9/secret > loot; echo x > /proc/self/fd/9/pwned
