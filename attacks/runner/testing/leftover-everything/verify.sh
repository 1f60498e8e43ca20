#!/bin/sh
grep -q "$CANARY" loot
