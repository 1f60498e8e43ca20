#!/bin/sh
test -e "$CASE"
