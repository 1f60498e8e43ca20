#!/bin/sh
set -eu
mkdir -p "$HOME/.config/holdfast"; printf "version = 1\n[limits]\ntmp = \"32MiB\"\n" > "$HOME/.config/holdfast/policy.toml"
