#!/bin/sh
before=$(stty -g)
"$@"
[ "$(stty -g)" = "$before" ] || : > "$ARENA/notes/changed"
