#!/bin/sh
: > "$ARENA/ws/ran"
echo "# $CANARY" >> holdfast.toml
