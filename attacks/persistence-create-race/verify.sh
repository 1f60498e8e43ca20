#!/bin/sh
test -e "$ARENA/ws/.envrc"
