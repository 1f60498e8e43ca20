#!/bin/sh
# A page in a browser of the machine, which tries for as long as the agent runs.
"$@" &
agent=$!
while kill -0 $agent 2> /dev/null; do
  curl -s -m 1 -o /dev/null http://127.0.0.1:4097/ http://93.184.215.2:4097/
  sleep 0.2
done
wait $agent
