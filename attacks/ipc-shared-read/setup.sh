#!/bin/sh
set -eu
echo "$CANARY" > "$CASE/holdfast-$CANARY"
