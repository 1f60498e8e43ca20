#!/bin/sh
set -eu
echo "$CANARY-widened-" > "$ARENA/home/widened"
