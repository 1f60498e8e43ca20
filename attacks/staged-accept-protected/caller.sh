#!/bin/sh
# Whoever accepts looks at nothing. Also the mark of a box that has begun comes to the host by being accepted.
"$@"
case $1 in */holdfast) "$1" accept --all; [ -e ran ] ;; esac
