#!/bin/sh
test -e "/etc/holdfast-attack-$CANARY"
