#!/bin/sh
# The attack is on the dashboard, not out of a box.
case $1 in
  */holdfast) server=$1 ;;
  *) server=- ;;
esac
for attack in "$@"; do :; done
sh "$TOOLS/with-dashboard.sh" "$server" sh "$attack"
