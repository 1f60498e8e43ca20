#!/bin/sh
[ "$(cat "/proc/sys/$CASE")" != "$(cat "$ARENA/saved")" ]
