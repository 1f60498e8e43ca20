#!/bin/sh
set -eu
sleep 60 > /dev/null 2>&1 & echo $! > pid
