#!/bin/sh
exec "$@" < "$ARENA"
