#!/bin/sh
timeout 1 bash -c "exec 3<> /dev/tcp/$(case $CASE in 0.0.0.0) echo 127.0.0.1 ;; ::) echo ::1 ;; *) echo $CASE ;; esac)/9999"
