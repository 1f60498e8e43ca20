#!/bin/sh
set -eu
cat /sys/kernel/mm/ksm/sleep_millisecs > "$ARENA/saved"
