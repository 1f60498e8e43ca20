#!/bin/sh
[ "$(cat "/proc/sys/$CASE")" = "$(cat "$ARENA/saved")" ] || cat "$ARENA/saved" > "/proc/sys/$CASE"
