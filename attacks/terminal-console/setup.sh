#!/bin/sh
set -eu
: < /dev/tty1
