#!/bin/sh
test -c "$ARENA/ws/node"
