#!/bin/sh
test -s "$ARENA/ws/loot"
