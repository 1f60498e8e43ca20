#!/bin/sh
grep -q "$CANARY" "$CASE"
