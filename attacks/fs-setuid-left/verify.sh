#!/bin/sh
test -u "$ARENA/ws/tool"
