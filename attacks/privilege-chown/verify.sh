#!/bin/sh
[ "$(stat -c %u gift)" = 12345 ]
