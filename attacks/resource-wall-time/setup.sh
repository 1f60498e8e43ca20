#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; printf "version = 1\n[limits]\nwall = \"%ss\"\n" "$SLOWNESS" > "$HOME/.config/holdfast/policy.toml"
