#!/bin/sh
# The host's side: prepares what is to come back, starts the box, and brings it back again and again.
holdfast=
case $1 in */holdfast) holdfast=$1 ;; esac
turns=25
if [ -z "$holdfast" ]; then
  turns=3000
  turn() { [ "$(realpath d)" != "$PWD/d" ] || echo restored > d/f$((count % 10)); }
elif [ "$CASE" = trash ]; then
  "$holdfast" run -- sh -c 'rm d/f*'
  # The rule would hold the directory in its place.
  rm "$HOME/.config/holdfast/policy.toml"
  ids=$("$holdfast" trash list --json | sed -n 's/^ *"id": "\(.*\)",*$/\1/p')
  turn() { for id in $ids; do "$holdfast" trash restore "$id" && : > "$ARENA/notes/done"; done; }
  turns=4
elif [ "$CASE" = checkpoint ]; then
  rm "$HOME/.config/holdfast/policy.toml"
  "$holdfast" checkpoint create before
  rm d/*
  turn() { "$holdfast" checkpoint restore before && : > "$ARENA/notes/done"; }
else
  rm "$HOME/.config/holdfast/policy.toml"
  "$holdfast" run --staged -- sh -c 'for n in 0 1 2 3 4 5 6 7 8 9; do echo new > d/f$n; echo new > d/new$n; done'
  turn() { "$holdfast" accept --all --overwrite && : > "$ARENA/notes/done"; "$holdfast" undo; }
fi
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.02; done
count=0
while [ $count -lt $turns ]; do
  turn
  count=$((count + 1))
done
: > "$ARENA/ws/stop"
wait $box
if [ -n "$holdfast" ] && [ ! -e "$ARENA/notes/done" ]; then
  echo "nothing came back, so nothing is shown" >&2
  rm -f ran
fi
[ ! -L d ] || { rm d; if [ -d link ] && [ ! -L link ]; then mv link d; else mkdir d; fi; }
[ -L link ] || { rm -rf link; ln -s "$ARENA/outside" link; }
find . -name 'new*' -delete
