#!/bin/sh
rm -f "/etc/holdfast-attack-$CANARY"
