#!/bin/sh
# Looks at the machine while the keys are in use: whatever any process of it shows to others.
ENV_KEY=$(cat "$ARENA/outside/env") "$@" &
leader=$!
until [ -e "$ARENA/ws/gathered" ] || ! kill -0 $leader 2> /dev/null; do sleep 0.05; done
mkdir -p "$ARENA/notes/outside-arguments" "$ARENA/notes/outside-environments"
for process in /proc/[0-9]*; do
  cat "$process/cmdline" > "$ARENA/notes/outside-arguments/${process##*/}" 2> /dev/null
  cat "$process/environ" > "$ARENA/notes/outside-environments/${process##*/}" 2> /dev/null
done
: > "$ARENA/ws/looked"
wait $leader
# And what Holdfast says about it, in every way.
mkdir "$ARENA/notes/outside-said"
case $1 in
  */holdfast)
    for words in "credentials show" "credentials show --json" "secrets list --json" "secrets test env" "secrets test command --json" "policy show" "policy show --json" "plan" "audit show" "why" "doctor"; do
      ENV_KEY=$(cat "$ARENA/outside/env") "$1" $words
    done > "$ARENA/notes/outside-said/commands" 2>&1
    ;;
esac
