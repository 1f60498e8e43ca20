#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in
  *-later) until [ -e "$ARENA/ws/go" ]; do sleep 0.05; done ;;
esac
runtime=$ARENA/run/holdfast/serve.sock
ask() { "$TOOLS/reach" stream "$1" "{\"kind\":\"open\",\"name\":\"$CANARY\",\"options\":{\"cwd\":\"/\",\"grants\":{\"write\":[\"/\"]}}}"; }
case $CASE in
  state*) ask "$ARENA/home/.local/state/holdfast/run/serve.sock" ;;
  abstract) ask "@$runtime" ;;
  process-root) for root in /proc/[0-9]*/root; do ask "$root$runtime"; done ;;
  process-directory) for root in /proc/[0-9]*/cwd; do ask "$root/../run/holdfast/serve.sock"; done ;;
  *) ask "$runtime" ;;
esac
