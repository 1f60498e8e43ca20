#!/bin/sh
set -eu
sh -c "sleep 60; :" "password-$CANARY" &
sleep 0.1
