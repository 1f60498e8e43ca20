#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; printf "version = 1\n[limits]\nmemory = \"200MiB\"\n" > "$HOME/.config/holdfast/policy.toml"
