#!/bin/sh
: > "$ARENA/ws/ran"
echo x > "$CASE/holdfast-$CANARY/pwned"
