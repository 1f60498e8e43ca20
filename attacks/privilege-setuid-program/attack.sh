#!/bin/sh
: > "$ARENA/ws/ran"
mkfifo wait; (sleep 1 > wait) &
su root < wait > /dev/null 2>&1 &
sleep 0.3; grep ^Uid "/proc/$!/status" > loot
