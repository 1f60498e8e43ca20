#!/bin/sh
exec "$@" < /dev/tty1
