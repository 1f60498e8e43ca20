#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p "$ARENA/home/.config/holdfast"; printf "[files]\nwrite = [\"%s\"]\n" "$ARENA" >> "$ARENA/home/.config/holdfast/policy.toml"
