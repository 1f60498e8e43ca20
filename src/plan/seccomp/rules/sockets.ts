import { noSuchFamily, noSuchProtocol, notPermitted, type ArgumentTest, type SyscallRule } from '../rule.ts';

/** Sources: `linux/socket.h`, `linux/net.h`, `linux/in.h` and `linux/netlink.h`. */
const internet = { AF_INET: 2, AF_INET6: 10 };
const families = { AF_UNIX: 1, ...internet, AF_NETLINK: 16 };

const isInternet: ArgumentTest = { kind: 'one-of', argument: 0, called: 'domain', values: internet };

export const socketRules: readonly SyscallRule[] = [
  {
    syscalls: ['socket'],
    when: [{ kind: 'none-of', argument: 0, called: 'domain', values: families }],
    action: noSuchFamily,
    reason: 'AF_VSOCK reaches the hypervisor, AF_PACKET every frame, AF_ALG and the rest are kernel attack surface',
  },
  {
    syscalls: ['socket'],
    // The low four bits are the type. The others are SOCK_CLOEXEC and SOCK_NONBLOCK. AF_INET with SOCK_PACKET is
    // AF_PACKET.
    when: [
      isInternet,
      { kind: 'none-of', argument: 1, called: 'type', mask: 0xf, values: { SOCK_STREAM: 1, SOCK_DGRAM: 2 } },
    ],
    action: notPermitted,
    reason: 'raw and packet sockets forge addresses; the other types are rarely tested protocols',
  },
  {
    syscalls: ['socket'],
    when: [
      isInternet,
      { kind: 'none-of', argument: 2, called: 'protocol', values: { default: 0, IPPROTO_TCP: 6, IPPROTO_UDP: 17 } },
    ],
    action: noSuchProtocol,
    reason: 'MPTCP and SMC pass Landlock’s TCP rules; SCTP, L2TP and the like load kernel modules on demand',
  },
  {
    syscalls: ['socket'],
    when: [
      { kind: 'one-of', argument: 0, called: 'domain', values: { AF_NETLINK: 16 } },
      { kind: 'none-of', argument: 2, called: 'protocol', values: { NETLINK_ROUTE: 0 } },
    ],
    action: noSuchProtocol,
    reason: 'C libraries list addresses through NETLINK_ROUTE; netfilter, xfrm and the others are attack surface',
  },
  {
    syscalls: ['socketpair'],
    when: [{ kind: 'none-of', argument: 0, called: 'domain', values: { AF_UNIX: 1 } }],
    action: noSuchFamily,
    reason: 'only AF_UNIX pairs are useful; TIPC pairs are attack surface',
  },
];
