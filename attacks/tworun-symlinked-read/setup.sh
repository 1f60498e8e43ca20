#!/bin/sh
set -eu
mkdir docs "$HOME/.ssh"; echo "$CANARY" > "$HOME/.ssh/id_ed25519"
