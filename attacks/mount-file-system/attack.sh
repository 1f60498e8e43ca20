#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p m; mount -t "$CASE" none m
