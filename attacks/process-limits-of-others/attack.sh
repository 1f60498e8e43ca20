#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in prlimit) prlimit --pid "$(cat victim)" --nofile=7:7 ;; renice) renice 19 -p "$(cat victim)" ;; esac
