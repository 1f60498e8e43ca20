#!/bin/sh
: > "$ARENA/ws/ran"
echo x > assets/pwned
