#!/bin/sh
"$@" > "$ARENA/notes/log" 2>&1
for file in policies/*.toml; do
  case $1 in
    */holdfast) "$1" policy check "$file" && cat "$file" ;;
    *) cat "$file" ;;
  esac
done > "$ARENA/notes/output" 2>&1
