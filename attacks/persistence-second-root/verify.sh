#!/bin/sh
grep -q "$CANARY" "$ARENA/outside/other/.envrc"
