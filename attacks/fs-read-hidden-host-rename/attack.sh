#!/bin/sh
: > "$ARENA/ws/ran"
until [ -e go ]; do sleep 0.05; done
sleep 0.3; cat .env > loot
