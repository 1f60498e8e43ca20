import type { NotifyGroup } from '../types.ts';
import type { Architecture, SyscallName, SyscallNumbers } from './architecture.ts';
import { assemble, type FilterStep, unpackProgram } from './assemble.ts';
import { builtGuards, notifyNumbers } from './built-filters.ts';

/** `SECCOMP_RET_*` of `linux/seccomp.h`. */
const notify = 0x7fc0_0000;
const allow = 0x7fff_0000;
const allBits = 0xffff_ffff;
const longestFirst = ['openat', 'open'];

export interface NotifyOptions {
  readonly architecture: Architecture;
  readonly groups: readonly NotifyGroup[];
}

/**
 * Returns the filter with the listener, which runs beside the reviewed list. If two filters disagree, the kernel takes
 * the stricter answer, and refusing is stricter than asking. So calls that the list closes never stop for the listener.
 * It ignores the architecture, because the list kills calls of another one. An array of `struct sock_filter`.
 */
export function notifyFilter({ architecture, groups }: NotifyOptions): Uint8Array<ArrayBuffer> {
  // The filter of nearly every box is prebuilt.
  if (groups.join(' ') === 'creations connections watches') return unpackProgram(builtGuards[architecture]);
  return buildNotifyFilter(groups, notifyNumbers[architecture]);
}

export function buildNotifyFilter(groups: readonly NotifyGroup[], numbers: SyscallNumbers): Uint8Array<ArrayBuffer> {
  const calls = merged(groups.flatMap((group) => notifyCalls[group])).filter(
    ({ syscall }) => numbers[syscall] !== undefined,
  );
  return assemble([
    { kind: 'load', offset: 0 },
    ...calls.flatMap((call, index) => dispatch(call, numbers[call.syscall] ?? 0, index)),
    ...jump('allow'),
    ...calls.flatMap(test),
    { kind: 'label', label: 'notify' },
    { kind: 'return', value: notify },
    { kind: 'label', label: 'allow' },
    { kind: 'return', value: allow },
  ]);
}

/** The widest condition of each call. Opens come first, because they are the most frequent. */
function merged(calls: readonly Notified[]): readonly Notified[] {
  const byName = new Map<SyscallName, Notified>();
  for (const call of calls) byName.set(call.syscall, widest(byName.get(call.syscall), call));
  return [...byName.values()].toSorted((a, b) => rank(a) - rank(b));
}

function rank({ syscall }: Notified): number {
  const place = longestFirst.indexOf(syscall);
  return place === -1 ? longestFirst.length : place;
}

function widest(known: Notified | undefined, call: Notified): Notified {
  if (known === undefined) return call;
  if (known.when === undefined || call.when === undefined) return { syscall: call.syscall };
  if (known.when.argument !== call.when.argument) return { syscall: call.syscall };
  if (!('bits' in known.when) && !('bits' in call.when)) return known;
  if (!('bits' in known.when) || !('bits' in call.when)) return { syscall: call.syscall };
  return { syscall: call.syscall, when: { argument: call.when.argument, bits: known.when.bits | call.when.bits } };
}

function dispatch(call: Notified, number: number, index: number): readonly FilterStep[] {
  const next = `call:${index + 1}`;
  return [
    {
      kind: 'branch',
      test: 'equal',
      value: number,
      yes: call.when === undefined ? 'notify' : `test:${call.syscall}`,
      no: next,
    },
    { kind: 'label', label: next },
  ];
}

/** No number is below zero, so this always jumps. */
function jump(label: string): readonly FilterStep[] {
  return [{ kind: 'branch', test: 'at-least', value: 0, yes: label, no: label }];
}

/** Flags are an `int`, so the kernel uses the low half. A pointer needs both halves. */
function test({ syscall, when }: Notified): readonly FilterStep[] {
  if (when === undefined) return [];
  const low = 16 + 8 * when.argument;
  const start: readonly FilterStep[] = [
    { kind: 'label', label: `test:${syscall}` },
    { kind: 'load', offset: low },
  ];
  if ('bits' in when)
    return [...start, { kind: 'branch', test: 'any-bit', value: when.bits, yes: 'notify', no: 'allow' }];
  return [
    ...start,
    { kind: 'branch', test: 'any-bit', value: allBits, yes: 'notify', no: `high:${syscall}` },
    { kind: 'label', label: `high:${syscall}` },
    { kind: 'load', offset: low + 4 },
    { kind: 'branch', test: 'any-bit', value: allBits, yes: 'notify', no: 'allow' },
  ];
}

/** A call that stops for the listener: always, or depending on an argument. */
interface Notified {
  readonly syscall: SyscallName;
  readonly when?:
    | { readonly argument: number; readonly bits: number }
    | { readonly argument: number; readonly pointer: 'given' };
}

/** Source: `asm-generic/fcntl.h`; the same numbers on x86-64 and arm64. */
const O_CREAT = 0o100;
const O_TRUNC = 0o1000;

const always = (...names: readonly SyscallName[]): readonly Notified[] => names.map((syscall) => ({ syscall }));
const opens = (bits: number): readonly Notified[] => [
  { syscall: 'openat', when: { argument: 2, bits } },
  { syscall: 'open', when: { argument: 1, bits } },
  { syscall: 'creat' },
];

/** A connected socket ignores an address, because its peer has already been judged. */
const addresses: readonly Notified[] = [
  ...always('connect', 'sendmsg', 'sendmmsg'),
  { syscall: 'sendto', when: { argument: 4, pointer: 'given' } },
];

const executions = always('execve', 'execveat');
const sockets = [...addresses, ...always('bind')];
/** Only `SOCK_DGRAM` and `SOCK_RAW` have this bit. */
const ofDatagrams = { argument: 1, bits: 2 } as const;

/**
 * `openat2` and `io_uring` are in no group, because the box does not have them. `descriptors`: a descriptor for reading
 * is enough to change a file's attributes. `listens`: an unbound socket would get an address on every network of the
 * machine. `guest-executions`: a guest's questions, which a process in the box asks with the same calls.
 */
export const notifyCalls: Readonly<Record<NotifyGroup, readonly Notified[]>> = {
  opens: always('openat', 'open', 'creat'),
  creations: [
    ...opens(O_CREAT),
    ...always('mkdir', 'mkdirat', 'mknod', 'mknodat', 'symlink', 'symlinkat'),
    ...always('rename', 'renameat', 'renameat2', 'link', 'linkat'),
  ],
  deletions: always('unlink', 'unlinkat', 'rmdir'),
  renames: always('rename', 'renameat', 'renameat2'),
  truncations: [...opens(O_TRUNC), ...always('truncate')],
  metadata: [
    ...always('chmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchownat', 'setxattr', 'lsetxattr'),
    ...always('utime', 'utimes', 'futimesat', 'utimensat', 'removexattr', 'lremovexattr'),
  ],
  connections: [...addresses, { syscall: 'socket', when: ofDatagrams }, { syscall: 'socketpair', when: ofDatagrams }],
  watches: always('inotify_add_watch'),
  'own-sockets': sockets,
  sockets,
  signals: always('kill', 'tkill', 'tgkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo', 'pidfd_send_signal'),
  executions,
  'guest-executions': executions,
  'memory-files': always('memfd_create'),
  descriptors: always('fchmod', 'fchown', 'fsetxattr', 'fremovexattr'),
  listens: always('listen'),
  accesses: always('access', 'faccessat', 'faccessat2', 'inotify_add_watch'),
};

/** Returns all of these calls, once each. */
export function notifiedNames(): readonly SyscallName[] {
  return [...new Set(Object.values(notifyCalls).flatMap((calls) => calls.map(({ syscall }) => syscall)))];
}
