#!/bin/sh
case $CASE in prlimit) grep -q "open files *7 " "/proc/$(cat victim)/limits" ;; renice) [ "$(ps -o ni= -p "$(cat victim)" | tr -d ' ')" = 19 ] ;; esac
