#!/bin/sh
sh "$TOOLS/redis.sh" stop
