#!/bin/sh
# The user's shell: runs the command, then reads its next line from the terminal.
"$@"
line=$(timeout --foreground 1 head -n 1)
[ -z "$line" ] || sh -c "$line"
