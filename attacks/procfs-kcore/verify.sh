#!/bin/sh
grep -q ELF "$ARENA/ws/loot"
