#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p "$ARENA/ws/.attack"
calls="$ARENA/home/.local/state/holdfast/calls"
ln -s "$calls" "$ARENA/ws/.attack/link"
for place in "$calls" "$ARENA/ws/.attack/link" "/proc/self/root$calls" "/proc/1/root$calls" "/proc/$PPID/root$calls"; do
	for file in "$place"/*.gz; do
		gzip -dc < "$file" >> "$ARENA/ws/.attack/heard"
	done
done
