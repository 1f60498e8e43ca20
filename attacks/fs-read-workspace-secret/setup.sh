#!/bin/sh
set -eu
mkdir -p "$(dirname "$CASE")"
echo "$CANARY" > "$CASE"
