#!/bin/sh
# with-hooks.sh HOLDFAST|- COMMAND...: runs a command with Holdfast in the settings of the agents in `$AGENTS`, each as `AGENT:SCOPE`, in
# turn. `-` is a typical handwritten hook, which looks for a word.
holdfast=$1
shift
cd "$ARENA/ws" || exit 1
for agent in $AGENTS; do
  case $agent in
    claude:user) file=$HOME/.claude/settings.json ;;
    claude:workspace) file=.claude/settings.local.json ;;
    codex:user) file=$HOME/.codex/hooks.json ;;
    gemini:user) file=$HOME/.gemini/settings.json ;;
  esac
  if [ "$holdfast" != - ]; then
    "$holdfast" init "${agent%:*}" "--${agent#*:}" --yes > /dev/null || exit 1
  else
    mkdir -p "$(dirname "$file")"
    printf '{"hooks": {"%s": [{"matcher": "%s", "hooks": [{"type": "command", "command": "if grep -q outside/; then exit 2; fi"}]}]}}' "$(case $agent in gemini:*) echo BeforeTool ;; *) echo PreToolUse ;; esac)" "${MATCHER:-}" > "$file"
  fi
done
"$@"
status=$?
for agent in $AGENTS; do
  [ "$holdfast" = - ] || "$holdfast" init "${agent%:*}" "--${agent#*:}" --undo --yes > /dev/null 2>&1
done
[ "$holdfast" != - ] || rm -rf "$HOME/.claude" "$HOME/.codex" "$HOME/.gemini" .claude
exit $status
