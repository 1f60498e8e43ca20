#!/bin/sh
"$@" > /dev/null 2>&1
case $1 in
  */holdfast)
    python3 "$TOOLS/text-rows.py" each "$1" run -- true
    { "$1" audit show; "$1" audit verify; "$1" why; "$1" why --json; } > "$ARENA/notes/output" 2>&1
    ;;
  *) python3 "$TOOLS/text-rows.py" each printf 'run: true %s\n' > "$ARENA/notes/output" ;;
esac
