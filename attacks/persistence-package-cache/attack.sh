#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p "$ARENA/home/$CASE"; echo "$CANARY" > "$ARENA/home/$CASE/poison" && : > "$ARENA/ws/wrote"
