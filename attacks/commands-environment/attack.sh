#!/bin/sh
: > "$ARENA/ws/ran"
env > loot
