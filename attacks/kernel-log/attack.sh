#!/bin/sh
: > "$ARENA/ws/ran"
dmesg > loot; dmesg --force-syslog >> loot 2>&1
