#!/bin/sh
"$@" &
leader=$!
until [ -e "$ARENA/ws/beat" ] || ! kill -0 $leader; do sleep 0.02; done
sleep 0.2
victim=$leader
for step in $(seq "$CASE"); do for child in $(cat "/proc/$victim/task/$victim/children"); do victim=$child; done; done
kill -9 "$victim"
wait $leader 2> /dev/null
:
