#!/bin/sh
a=$(wc -c < "$ARENA/ws/beat"); sleep 0.5; [ "$(wc -c < "$ARENA/ws/beat")" -gt "$a" ]
