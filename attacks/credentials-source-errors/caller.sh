#!/bin/sh
# A tool that passes on what its helpers say, where there is no Holdfast.
case $1 in
  */holdfast) ;;
  *) for helper in "$ARENA"/outside/*.sh; do timeout 1 sh "$helper" 2>&1; done > "$ARENA/notes/helpers"; cat "$ARENA/notes/helpers"; rm "$ARENA"/outside/*.sh ;;
esac
exec sh "$ARENA/world/with-key.sh" "$@"
