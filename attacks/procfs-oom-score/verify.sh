#!/bin/sh
[ "$(cat "/proc/$(cat victim)/oom_score_adj")" = 500 ]
