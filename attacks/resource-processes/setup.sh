#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; printf "version = 1\n[limits]\nprocesses = 64\n" > "$HOME/.config/holdfast/policy.toml"
