#!/bin/sh
: > "$ARENA/ws/ran"
echo 500 > "/proc/$(cat victim)/oom_score_adj"
