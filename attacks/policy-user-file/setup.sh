#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; echo "version = 1" > "$HOME/.config/holdfast/policy.toml"
