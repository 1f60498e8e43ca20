#!/bin/sh
sh "$TOOLS/postgres.sh" stop
