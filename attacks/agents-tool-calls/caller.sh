#!/bin/sh
# Claude Code has Holdfast twice, the one time installed twice.
case $1 in
  */holdfast) holdfast=$1 ;;
  *) holdfast=- ;;
esac
AGENTS='claude:user claude:user claude:workspace codex:user gemini:user' MATCHER='Bash|Read|Write|run_shell_command' exec sh "$TOOLS/with-hooks.sh" $holdfast sh "$ARENA/scripts/attack.sh"
