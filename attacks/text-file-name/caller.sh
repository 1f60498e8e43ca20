#!/bin/sh
"$@" > "$ARENA/notes/log" 2>&1 || cat "$ARENA/notes/log" >&2
{
  case $1 in
    */holdfast) "$1" review --stat; "$1" review --name-only; "$1" review --patch; "$1" review --json; "$1" accept --all ;;
    *) ls names ;;
  esac
} > "$ARENA/notes/output" 2>&1
