import type { SyscallName } from './architecture.ts';

/** One reviewed entry of the list. Of several rules for one system call, the first whose tests all hold decides. */
export interface SyscallRule {
  /** A name that an architecture does not have is left out there. */
  readonly syscalls: readonly SyscallName[];
  /** All must hold; absent means always. */
  readonly when?: readonly ArgumentTest[];
  readonly action: SeccompAction;
  /**
   * `by-ptrace`: the policy's `ptrace = "allow"` lifts the rule, because debuggers and tracers need what it closes.
   * `by-nesting`: it
   * does not hold for a command that confines another (gVisor's `runsc`).
   */
  readonly lifted?: 'by-ptrace' | 'by-nesting';
  /** Why it is closed, or why it stays open, for the person who reads `holdfast plan`. */
  readonly reason: string;
}

export type SeccompAction =
  | { readonly kind: 'allow' }
  | { readonly kind: 'errno'; readonly errno: SeccompErrno }
  | { readonly kind: 'kill' };

export type SeccompErrno = 'EPERM' | 'ENOSYS' | 'EAFNOSUPPORT' | 'EPROTONOSUPPORT';

/**
 * A test of one argument. Tests look at the low 32 bits, because the kernel truncates `int` arguments before it uses
 * them. A filter that compares 64 bits is passed with `socket(0x1_0000_0001, …)`. Only `bits-outside` with `width: 64`
 * looks at both halves, for arguments that the kernel takes as `unsigned long`.
 */
export type ArgumentTest =
  | ArgumentOf<'any-bit'>
  | (ArgumentOf<'bits-outside'> & { readonly width: 32 | 64 })
  | (ArgumentOf<'one-of' | 'none-of'> & { readonly mask?: number });

interface ArgumentOf<Kind extends string> {
  readonly kind: Kind;
  /** Position, from 0. */
  readonly argument: 0 | 1 | 2 | 3 | 4 | 5;
  /** The argument's name in its manual page. */
  readonly called: string;
  /** Kernel constants by name, each below 2³². */
  readonly values: Readonly<Record<string, number>>;
}

export const allow = { kind: 'allow' } as const;
export const kill = { kind: 'kill' } as const;
export const notPermitted = { kind: 'errno', errno: 'EPERM' } as const;
/** What a kernel without the call answers: libraries then take their older way instead of giving up. */
export const notImplemented = { kind: 'errno', errno: 'ENOSYS' } as const;
export const noSuchFamily = { kind: 'errno', errno: 'EAFNOSUPPORT' } as const;
export const noSuchProtocol = { kind: 'errno', errno: 'EPROTONOSUPPORT' } as const;

/** `asm-generic/errno.h`; the same on x86-64 and arm64. */
const errnos: Readonly<Record<SeccompErrno, number>> = {
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EAFNOSUPPORT: 97,
};

/** `SECCOMP_RET_*` of `linux/seccomp.h`: what the filter returns for an action. */
export function seccompReturn(action: SeccompAction): number {
  switch (action.kind) {
    case 'allow':
      return 0x7fff_0000;
    case 'errno':
      return 0x0005_0000 | errnos[action.errno];
    case 'kill':
      return 0x8000_0000;
  }
}

/** `allow`, `kill`, or the name of the errno. */
export function actionName(action: SeccompAction): string {
  return action.kind === 'errno' ? action.errno : action.kind;
}
