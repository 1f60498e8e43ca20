import { type Architecture, architectures } from '../../src/plan/seccomp/architecture.ts';
import { assemble, packProgram } from '../../src/plan/seccomp/assemble.ts';
import { compile } from './compile.ts';
import { filterVariants, type SeccompOptions } from '../../src/plan/seccomp/filter.ts';
import { rulesFor } from '../../src/plan/seccomp/denylist.ts';
import { buildNotifyFilter, notifiedNames } from '../../src/plan/seccomp/notify.ts';
import {
  noSuchFamily,
  noSuchProtocol,
  notImplemented,
  notPermitted,
  type SyscallRule,
} from '../../src/plan/seccomp/rule.ts';

/** Returns the text of `built-filters.ts`. `scripts/build-seccomp.ts` writes it, and a test compares it. */
export function renderBuiltFilters(): string {
  const entries = names.flatMap((architecture) =>
    Object.entries(filterVariants).map(([variant, options]) => {
      const text = packProgram(buildFilter({ architecture, ...options }));
      return `  '${architecture}-${variant}':\n    '${text}',\n`;
    }),
  );
  return `${heading}export const builtFilters = {\n${entries.join('')}} as const;\n${renderGuards()}${renderPlain()}${renderNumbers()}`;
}

/** The filter with a listener for new names, connections and watches. */
function renderGuards(): string {
  const entries = names.map(
    (name) =>
      `  ${name}: '${packProgram(buildNotifyFilter(['creations', 'connections', 'watches'], architectures[name].numbers))}',\n`,
  );
  return `\nexport const builtGuards = {\n${entries.join('')}} as const;\n`;
}

/** The second list, for a box without namespaces. */
function renderPlain(): string {
  const entries = names.flatMap((architecture) =>
    Object.entries(plainRules).map(([network, rules]) => {
      const text = packProgram(assemble(compile(rules, architecture)));
      return `  '${architecture}-${network}':\n    '${text}',\n`;
    }),
  );
  return `\nexport const builtPlain = {\n${entries.join('')}} as const;\n`;
}

/** Numbers of only the calls that can stop for a listener. Otherwise every command would load the whole tables. */
function renderNumbers(): string {
  const entries = names.map((name) => {
    const { numbers } = architectures[name];
    const known = notifiedNames().flatMap((call) => (numbers[call] === undefined ? [] : [`${call}: ${numbers[call]}`]));
    return `  ${name}: { ${known.join(', ')} },\n`;
  });
  return `\nexport const notifyNumbers = {\n${entries.join('')}} as const;\n`;
}

const names = Object.keys(architectures) as Architecture[];

const heading = `// Written by scripts/build-seccomp.ts from rules/. Do not edit: a test compares this file with the rules.\n\n`;

/** Builds the filter of the reviewed list: an array of `struct sock_filter`. The same options give the same bytes. */
export function buildFilter(options: SeccompOptions): Uint8Array<ArrayBuffer> {
  return assemble(compile(rulesFor(options), options.architecture));
}

/**
 * Sources: `linux/socket.h`, `linux/tcp.h`, `linux/resource.h`, `linux/ioprio.h`, `linux/fs.h`, `linux/fsverity.h`; the
 * same numbers on x86-64 and arm64.
 */
const internet = { AF_INET: 2, AF_INET6: 10 };
const isInternet = { kind: 'one-of', argument: 0, called: 'domain', values: internet } as const;
const ofOther = { kind: 'none-of', argument: 0, called: 'pid', values: { self: 0 } } as const;
const quickOpen = (argument: 2 | 3) =>
  ({ kind: 'any-bit', argument, called: 'flags', values: { MSG_FASTOPEN: 0x2000_0000 } }) as const;

/** `linux/btrfs.h`: these need only a descriptor of a directory. */
const btrfs = {
  BTRFS_IOC_SNAP_CREATE: 0x5000_9401,
  BTRFS_IOC_SUBVOL_CREATE: 0x5000_940e,
  BTRFS_IOC_SNAP_DESTROY: 0x5000_940f,
  BTRFS_IOC_SNAP_CREATE_V2: 0x5000_9417,
  BTRFS_IOC_SUBVOL_CREATE_V2: 0x5000_9418,
  BTRFS_IOC_SUBVOL_SETFLAGS: 0x4008_941a,
  BTRFS_IOC_SNAP_DESTROY_V2: 0x5000_943f,
};

const foreign = 'controls processes outside of the box, which no PID namespace hides';
const addressed =
  'a message names its address in memory that another thread may change: once allowed, it could go to any service of the host';
const dialling = 'a message that dials on the way bypasses connect, which Landlock and the supervisor judge';

/** Rules that replace namespaces in a box without them. They run beside the reviewed list. */
const everywhere: readonly SyscallRule[] = [
  {
    syscalls: [
      'shmget',
      'shmat',
      'shmctl',
      'shmdt',
      'semget',
      'semop',
      'semtimedop',
      'semctl',
      'msgget',
      'msgsnd',
      'msgrcv',
      'msgctl',
    ],
    action: notImplemented,
    reason:
      'System V IPC of the host would be the box’s own: it has no names in the file system that a rule could be about',
  },
  {
    syscalls: ['mq_open', 'mq_unlink', 'mq_timedsend', 'mq_timedreceive', 'mq_notify', 'mq_getsetattr'],
    action: notImplemented,
    reason: 'POSIX message queues of the host would be the box’s own',
  },
  {
    syscalls: ['sched_setaffinity', 'sched_setscheduler', 'sched_setparam', 'sched_setattr'],
    when: [ofOther],
    action: notPermitted,
    reason: foreign,
  },
  {
    syscalls: ['setpriority'],
    when: [{ kind: 'none-of', argument: 0, called: 'which', values: { PRIO_PROCESS: 0 } }],
    action: notPermitted,
    reason: foreign,
  },
  {
    syscalls: ['setpriority'],
    when: [{ kind: 'none-of', argument: 1, called: 'who', values: { self: 0 } }],
    action: notPermitted,
    reason: foreign,
  },
  {
    syscalls: ['ioprio_set'],
    when: [{ kind: 'none-of', argument: 0, called: 'which', values: { IOPRIO_WHO_PROCESS: 1 } }],
    action: notPermitted,
    reason: foreign,
  },
  {
    syscalls: ['ioprio_set'],
    when: [{ kind: 'none-of', argument: 1, called: 'who', values: { self: 0 } }],
    action: notPermitted,
    reason: foreign,
  },
  {
    syscalls: ['socket', 'socketpair'],
    when: [
      { kind: 'one-of', argument: 0, called: 'domain', values: { AF_UNIX: 1 } },
      { kind: 'none-of', argument: 1, called: 'type', mask: 0xf, values: { SOCK_STREAM: 1, SOCK_SEQPACKET: 5 } },
    ],
    action: noSuchProtocol,
    reason: addressed,
  },
  {
    syscalls: ['ioctl'],
    when: [
      {
        kind: 'one-of',
        argument: 1,
        called: 'op',
        values: {
          FS_IOC_SETFLAGS: 0x4008_6602,
          FS_IOC32_SETFLAGS: 0x4004_6602,
          FS_IOC_SETVERSION: 0x4008_7602,
          EXT4_IOC_SETVERSION: 0x4008_6604,
          FAT_IOCTL_SET_ATTRIBUTES: 0x4004_7211,
          FS_IOC_FSSETXATTR: 0x401c_5820,
          FS_IOC_SET_ENCRYPTION_POLICY: 0x800c_6613,
          FS_IOC_ENABLE_VERITY: 0x4080_6685,
          ...btrfs,
        },
      },
    ],
    action: notPermitted,
    reason:
      'changes a file of its owner, or names in a directory, through a descriptor for reading, where no read-only mount refuses it',
  },
];

const closed: readonly SyscallRule[] = [
  {
    syscalls: ['socket'],
    when: [{ kind: 'none-of', argument: 0, called: 'domain', values: { AF_UNIX: 1 } }],
    action: noSuchFamily,
    reason: 'the network would be the host’s: a closed one has Unix sockets alone',
  },
];

const open: readonly SyscallRule[] = [
  {
    syscalls: ['socket'],
    when: [{ kind: 'one-of', argument: 0, called: 'domain', values: { AF_NETLINK: 16 } }],
    action: noSuchFamily,
    reason: 'the interfaces are the host’s; C libraries go on without a list of them',
  },
  {
    syscalls: ['socket'],
    when: [isInternet, { kind: 'none-of', argument: 1, called: 'type', mask: 0xf, values: { SOCK_STREAM: 1 } }],
    action: noSuchProtocol,
    reason: 'datagrams need no connection that a supervisor could make in their place',
  },
  {
    syscalls: ['socket'],
    when: [isInternet, { kind: 'none-of', argument: 2, called: 'protocol', values: { default: 0, IPPROTO_TCP: 6 } }],
    action: noSuchProtocol,
    reason: 'Landlock’s rules are about TCP alone',
  },
  { syscalls: ['sendto', 'sendmmsg'], when: [quickOpen(3)], action: notPermitted, reason: dialling },
  { syscalls: ['sendmsg'], when: [quickOpen(2)], action: notPermitted, reason: dialling },
  {
    syscalls: ['setsockopt'],
    when: [
      { kind: 'one-of', argument: 1, called: 'level', values: { IPPROTO_TCP: 6 } },
      { kind: 'one-of', argument: 2, called: 'optname', values: { TCP_FASTOPEN_CONNECT: 30 } },
    ],
    action: notPermitted,
    reason:
      'the first write makes this connection, after the supervisor has checked the address, and another program may listen there by then',
  },
];

export const plainRules: Readonly<Record<'closed' | 'names', readonly SyscallRule[]>> = {
  closed: [...everywhere, ...closed],
  names: [...everywhere, ...open],
};
