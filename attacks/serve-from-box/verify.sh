#!/bin/sh
sleep 0.2; grep -q "$CANARY" "$ARENA/notes/heard"
