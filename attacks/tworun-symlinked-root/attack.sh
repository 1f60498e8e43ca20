#!/bin/sh
: > "$ARENA/ws/ran"
rm -rf build; ln -s "$ARENA/outside" build
