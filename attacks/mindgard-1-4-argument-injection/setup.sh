#!/bin/sh
set -eu
git init -q .
echo "$CANARY-granted-" > granted
git add granted trip.sh
git commit -q -m one
tar -cf granted.tar granted
