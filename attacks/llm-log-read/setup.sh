#!/bin/sh
set -eu
mkdir -p "$HOME/.local/state/holdfast/calls"
echo "{\"request\":{\"text\":\"$CANARY\"}}" | gzip > "$HOME/.local/state/holdfast/calls/01jd0000000000000000.jsonl.gz"
