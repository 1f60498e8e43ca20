#!/bin/sh
: > "$ARENA/ws/ran"
for pid in $(cat victim) 1; do
  echo x > "/proc/$pid/$CASE/pwned"
  echo x > "/proc/$pid/$CASE$ARENA/outside/pwned"
done
# Process 1 may be the attack itself.
rm -f pwned
