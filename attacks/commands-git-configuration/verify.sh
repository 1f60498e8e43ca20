#!/bin/sh
grep -q "$CANARY" "$ARENA/ws/sang"
