#!/bin/sh
echo 'exec sh ../trip.sh' > "$ARENA/ws/changed/hook.sh"
