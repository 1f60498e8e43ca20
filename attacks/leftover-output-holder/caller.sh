#!/bin/sh
timeout 3 sh -c '"$@" | cat > /dev/null' - "$@"
[ $? != 124 ] || : > "$ARENA/notes/held"
