#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  *-later) until [ -e "$ARENA/ws/go" ]; do sleep 0.05; done ;;
esac
runtime=$ARENA/run/holdfast/approvals/session
answer() { "$TOOLS/reach" stream "$1" "{\"kind\":\"answer\",\"decision\":\"session\",\"hash\":\"$CANARY\"}"; }
case $CASE in
  state*) answer "$ARENA/home/.local/state/holdfast/run/approvals/session" ;;
  abstract) answer "@$runtime" ;;
  process-root) for root in /proc/[0-9]*/root; do answer "$root$runtime"; done ;;
  process-directory) for root in /proc/[0-9]*/cwd; do answer "$root/../run/holdfast/approvals/session"; done ;;
  *) answer "$runtime" ;;
esac
