#!/bin/sh
set -eu
echo "holdfast attack $CANARY" > /dev/kmsg
