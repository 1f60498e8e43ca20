#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; printf "version = 1\n[limits]\nopen_files = 128\n" > "$HOME/.config/holdfast/policy.toml"
