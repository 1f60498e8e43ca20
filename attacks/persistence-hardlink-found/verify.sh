#!/bin/sh
grep -q "$CANARY" "$CASE" lib/shared moved/shared
