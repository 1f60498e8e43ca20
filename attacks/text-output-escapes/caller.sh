#!/bin/sh
"$@" > "$ARENA/notes/output" 2> "$ARENA/notes/errors"
