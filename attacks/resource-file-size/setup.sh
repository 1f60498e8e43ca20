#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; printf "version = 1\n[limits]\nfile_size = \"1MiB\"\n" > "$HOME/.config/holdfast/policy.toml"
