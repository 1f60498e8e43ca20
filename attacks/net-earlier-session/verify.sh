#!/bin/sh
sleep 0.1; grep -q "$CANARY" "$ARENA/world/heard"
