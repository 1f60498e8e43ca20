#!/bin/sh
set -eu
mkdir -p "$HOME/.local/state/holdfast/quarantine"; echo "$CANARY" > "$HOME/.local/state/holdfast/quarantine/evidence"
