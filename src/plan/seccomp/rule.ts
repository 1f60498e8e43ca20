import type { SyscallName } from './architecture.ts';

/** One reviewed entry of the list. If a system call has several rules, the first whose tests all succeed decides. */
export interface SyscallRule {
  /** Names that an architecture lacks are left out there. */
  readonly syscalls: readonly SyscallName[];
  /** All tests must hold. Default: always. */
  readonly when?: readonly ArgumentTest[];
  readonly action: SeccompAction;
  /**
   * `by-ptrace`: the policy's `ptrace = "allow"` lifts the rule, because debuggers and tracers need the call.
   * `by-nesting`: a command that confines another one (gVisor's `runsc`) lifts the rule.
   */
  readonly lifted?: 'by-ptrace' | 'by-nesting';
  /** Why the call is closed or stays open, for the readers of `holdfast plan`. */
  readonly reason: string;
}

export type SeccompAction =
  | { readonly kind: 'allow' }
  | { readonly kind: 'errno'; readonly errno: SeccompErrno }
  | { readonly kind: 'kill' };

export type SeccompErrno = 'EPERM' | 'ENOSYS' | 'EAFNOSUPPORT' | 'EPROTONOSUPPORT';

/**
 * A test of one argument. Tests look at the low 32 bits, because the kernel truncates `int` arguments before it uses
 * them. A filter that compares 64 bits can be bypassed with `socket(0x1_0000_0001, …)`. Only `bits-outside` with
 * `width: 64` looks at both halves, for arguments that the kernel takes as `unsigned long`.
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
/** The answer of a kernel without the call. Libraries then use an older call instead of giving up. */
export const notImplemented = { kind: 'errno', errno: 'ENOSYS' } as const;
export const noSuchFamily = { kind: 'errno', errno: 'EAFNOSUPPORT' } as const;
export const noSuchProtocol = { kind: 'errno', errno: 'EPROTONOSUPPORT' } as const;

/** Source: `asm-generic/errno.h`; the same on x86-64 and arm64. */
const errnos: Readonly<Record<SeccompErrno, number>> = {
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EAFNOSUPPORT: 97,
};

/** Returns the filter's value for an action: `SECCOMP_RET_*` of `linux/seccomp.h`. */
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

/** Returns `allow`, `kill`, or the name of the errno. */
export function actionName(action: SeccompAction): string {
  return action.kind === 'errno' ? action.errno : action.kind;
}
