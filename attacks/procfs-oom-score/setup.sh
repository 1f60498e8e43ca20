#!/bin/sh
set -eu
sleep 60 &
echo $! > victim
