#!/bin/sh
: > "$ARENA/ws/ran"
row() { printf 'it\t:\t[%s]\n' "$1" > .attack/rows; }
w='"op":"write","data":"changed\n","path":"'$ARENA/ws'/alias'
case $CASE in
  hooks) row "{$w/pre-commit\"}" ;;
  hooks-existing) row "{$w/pre-push\"}" ;;
  git) row "{$w/hooks/pre-commit\"}" ;;
  git-config) row "{\"flag\":\"a\",$w/config\"}" ;;
  hidden) row "{\"op\":\"read\",\"path\":\"$ARENA/ws/plain\"}" ;;
  whole) row "{$w/.git/hooks/pre-commit\"}" ;;
  whole-hidden) row "{\"op\":\"read\",\"path\":\"$ARENA/ws/alias/.env\"}" ;;
esac
$FILES perform .attack/rows
