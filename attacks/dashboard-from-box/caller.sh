#!/bin/sh
case $1 in
  */holdfast) server=$1 ;;
  *) server=- ;;
esac
sh "$TOOLS/with-dashboard.sh" "$server" "$@"
