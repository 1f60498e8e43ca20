#!/bin/sh
: > "$ARENA/ws/ran"
