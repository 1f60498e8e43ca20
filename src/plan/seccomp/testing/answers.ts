/** `SECCOMP_RET_*` with the errno numbers of `asm-generic/errno.h`, written by hand. */
export const answers: Readonly<Record<string, number>> = {
  allow: 0x7fff_0000,
  kill: 0x8000_0000,
  EPERM: 0x0005_0001,
  ENOSYS: 0x0005_0026,
  EPROTONOSUPPORT: 0x0005_005d,
  EAFNOSUPPORT: 0x0005_0061,
};
