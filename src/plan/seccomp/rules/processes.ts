import { notPermitted, type SyscallRule } from '../rule.ts';

/**
 * Source: `linux/personality.h`. `linux32` sets the first for 32-bit builds, so that `uname -m` says i686. `setarch
 * -R`, gdb and ThreadSanitizer set the second, which turns off randomisation only of the caller's own addresses.
 */
const harmlessPersonality = { PER_LINUX32: 0x8, ADDR_NO_RANDOMIZE: 0x4_0000 };

/** Calls that read, write or control other processes. */
export const processRules: readonly SyscallRule[] = [
  {
    syscalls: [
      'ptrace',
      'process_vm_readv',
      'process_vm_writev',
      'pidfd_getfd',
      'kcmp',
      'process_madvise',
      'process_mrelease',
    ],
    action: notPermitted,
    lifted: 'by-ptrace',
    reason: 'reads, writes or controls other processes; gdb, strace and LeakSanitizer need `ptrace = "allow"`',
  },
  {
    syscalls: ['move_pages', 'migrate_pages'],
    when: [{ kind: 'none-of', argument: 0, called: 'pid', values: { self: 0 } }],
    action: notPermitted,
    lifted: 'by-ptrace',
    reason: 'moves the memory of other processes; on itself (JVM, numactl) it is open',
  },
  {
    syscalls: ['prlimit64'],
    when: [
      { kind: 'none-of', argument: 0, called: 'pid', values: { self: 0 } },
      { kind: 'bits-outside', argument: 2, called: 'new_limit', width: 64, values: { none: 0 } },
    ],
    action: notPermitted,
    reason:
      'sets limits of other processes: without descriptors, the first process of the box would find no protected path',
  },
  {
    syscalls: ['personality'],
    when: [
      { kind: 'none-of', argument: 0, called: 'persona', values: { query: 0xffff_ffff } },
      { kind: 'bits-outside', argument: 0, called: 'persona', width: 32, values: harmlessPersonality },
    ],
    action: notPermitted,
    reason:
      'maps page zero, makes memory executable or speaks for another kernel: old modes that turn bugs into exploits',
  },
];

/**
 * Source: `asm-generic/ioctls.h`; the same numbers on x86-64 and arm64. `TIOCSCTTY` stays open, because shells need it
 * to start.
 */
export const terminalRules: readonly SyscallRule[] = [
  {
    syscalls: ['ioctl'],
    when: [{ kind: 'one-of', argument: 1, called: 'op', values: { TIOCSTI: 0x5412, TIOCLINUX: 0x541c } }],
    action: notPermitted,
    reason: 'types into the terminal: the user’s shell would run it after the box has ended',
  },
  {
    syscalls: ['ioctl'],
    when: [{ kind: 'one-of', argument: 1, called: 'op', values: { TIOCSETD: 0x5423 } }],
    action: notPermitted,
    reason: 'attaches line disciplines (n_hdlc, n_gsm): modules that load by themselves, with a record of escalations',
  },
];
