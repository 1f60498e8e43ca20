#!/bin/sh
# up.sh DIRECTORY COMMAND...: a machine and the internet behind it, for one performance of an attack. Runs as the first
# process of a separate network and mount namespace. DIRECTORY has the machine's `hosts` and `resolv.conf`. COMMAND
# serves the internet, to which every address belongs. Prints `linked` when both are connected.
set -eu
directory=$1
shift
mount --make-rprivate /
mount --bind "$directory/hosts" /etc/hosts
mount --bind "$directory/resolv.conf" /etc/resolv.conf
mkfifo "$directory/apart"
unshare -n sh -c 'ip address add 93.184.217.53/32 dev lo; echo > "$0/apart"; exec "$@"' "$directory" "$@" &
internet=$!
read -r _ < "$directory/apart"
rm "$directory/apart"
ip -batch - <<END
link set lo up
link add eth0 address 02:00:00:00:00:02 type veth peer name up0 address 02:00:00:00:00:01 netns $internet
address add 93.184.215.2/24 dev eth0
address add 2606:2800:21f::2/64 dev eth0 nodad
link set eth0 up
neighbour replace 93.184.215.1 lladdr 02:00:00:00:00:01 dev eth0
neighbour replace 2606:2800:21f::1 lladdr 02:00:00:00:00:01 dev eth0
END
nsenter --net="/proc/$internet/ns/net" ip -batch - <<END
link set lo up
address add 93.184.215.1/24 dev up0
address add 2606:2800:21f::1/64 dev up0 nodad
link set up0 up
neighbour replace 93.184.215.2 lladdr 02:00:00:00:00:02 dev up0
neighbour replace 2606:2800:21f::2 lladdr 02:00:00:00:00:02 dev up0
route add local 0.0.0.0/0 dev lo table main
route add local ::/0 dev lo table main
END
ip -batch - <<END
route add default via 93.184.215.1
route add ::/0 via 2606:2800:21f::1
END
# The rights of an ordinary user on most machines.
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range
nsenter --net="/proc/$internet/ns/net" "$directory/sniff" up0 "$directory/wire" &
echo linked
# The attack's scripts find the machine's namespaces by this process.
wait "$internet"
