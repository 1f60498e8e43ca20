#!/bin/sh
: > "$ARENA/ws/ran"
rm -rf .claude
