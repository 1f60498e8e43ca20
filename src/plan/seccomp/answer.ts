import type { SeccompAction, SeccompErrno } from './rule.ts';

/** `asm-generic/errno.h`; the same on x86-64 and arm64. */
const errnos: Readonly<Record<SeccompErrno, number>> = {
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EAFNOSUPPORT: 97,
};

/** `SECCOMP_RET_*` of `linux/seccomp.h`: what the filter returns for an action. */
export function answerOf(action: SeccompAction): number {
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
export function nameOf(action: SeccompAction): string {
  return action.kind === 'errno' ? action.errno : action.kind;
}
