#!/bin/sh
set -eu
mkdir -p "$(dirname "$HOME/$CASE")"
echo "$CANARY" >> "$HOME/$CASE"
