#!/bin/sh
test -e "$ARENA/ws/asked"
