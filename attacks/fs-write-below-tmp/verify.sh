#!/bin/sh
test -e "$CASE/holdfast-$CANARY/pwned"
