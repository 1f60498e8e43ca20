import { notPermitted, type SyscallRule } from '../rule.ts';

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
