#!/bin/sh
: > "$ARENA/ws/ran"
# What no file of a client holds: without Holdfast it is set by hand.
for name in base command; do
  key="$ARENA/outside/$name"
  variable=$(echo "${name}_KEY" | tr a-z A-Z)
  [ ! -r "$key" ] || export "$variable=$(cat "$key")"
done
export BASE_URL="${BASE_URL:-https://base.example/v1}"
exec python3 "$ARENA/ws/.attack/attack.py"
