#!/bin/sh
: > "$ARENA/ws/ran"
sleep $((6 * SLOWNESS)) &
