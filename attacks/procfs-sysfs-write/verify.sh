#!/bin/sh
[ "$(cat /sys/kernel/mm/ksm/sleep_millisecs)" != "$(cat "$ARENA/saved")" ]
