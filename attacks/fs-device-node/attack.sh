#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in null) mknod node c 1 3 ;; whiteout) mknod node c 0 0 ;; esac
