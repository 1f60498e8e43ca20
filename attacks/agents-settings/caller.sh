#!/bin/sh
case $1 in
  */holdfast) holdfast=$1 ;;
  *) holdfast=- ;;
esac
AGENTS='claude:workspace codex:user gemini:user' exec sh "$TOOLS/with-hooks.sh" $holdfast sh "$ARENA/scripts/attack.sh"
