#!/bin/sh
! grep -rq "$CANARY" "$ARENA/ws" "$ARENA/home" 2>/dev/null
