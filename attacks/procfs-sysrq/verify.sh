#!/bin/sh
[ "$(dmesg | grep -c "sysrq: HELP")" -gt "$(cat "$ARENA/saved")" ]
