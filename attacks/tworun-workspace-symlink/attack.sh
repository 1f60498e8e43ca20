#!/bin/sh
: > "$ARENA/ws/ran"
rm -rf sub; ln -s "$ARENA/outside" sub
