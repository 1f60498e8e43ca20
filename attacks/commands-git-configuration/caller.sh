#!/bin/sh
# Words of commands that enter are what this is about, so each is given to Holdfast itself, and not to a script in the box.
"$@"
before=0
for word; do
  [ "$word" = env ] && break
  before=$((before + 1))
done
total=$#
place=0
for word; do
  place=$((place + 1))
  [ "$place" -le "$before" ] && set -- "$@" "$word"
done
shift "$total"
"$@" git status
"$@" git diff
"$@" sh -c 'git log -p; git status && git diff | cat'
pager=$(command -v script) || exit 0
exec "$pager" -qec "$* git log" /dev/null < /dev/null
