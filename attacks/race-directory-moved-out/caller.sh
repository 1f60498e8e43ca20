#!/bin/sh
# The host moves the directory in which the attack is, when it is there.
"$@" &
box=$!
until [ -e "$ARENA/ws/ready" ] || ! kill -0 $box; do sleep 0.02; done
mv "$ARENA/ws/d" "$ARENA/outside/d"
: > "$ARENA/ws/go"
wait $box
mv "$ARENA/outside/d" "$ARENA/ws/d"
# For a kernel that keeps a tree of its own, as gVisor does, `..` is still the workspace, in which the attack may write.
rm -rf "$ARENA/ws/pwned"
