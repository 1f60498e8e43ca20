#!/bin/sh
exec 8<> "$ARENA/input"
exec script -qec "sh $ARENA/scripts/inner.sh $*" /dev/null <&8 8<&-
