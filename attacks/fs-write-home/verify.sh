#!/bin/sh
grep -q "$CANARY" "$ARENA/home/$CASE"
