#!/bin/sh
"$TOOLS/ipc" "$CASE" drop "$(cat name)"
