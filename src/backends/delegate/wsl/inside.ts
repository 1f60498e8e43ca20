/** Whether this Linux runs in WSL. With interop, it can start Windows programs outside every box. */
export type InsideWsl = { readonly kind: 'wsl2' | 'wsl1'; readonly interop: 'on' | 'off' } | { readonly kind: 'no' };

export interface WslSigns {
  /** Text of `/proc/version`. */
  readonly version: string;
  /** Text of `/proc/sys/fs/binfmt_misc/WSLInterop`. Empty if absent. */
  readonly interop: string;
}

/**
 * WSL 1 reports `Microsoft`, and only claims to have a 4.4 kernel. Kernels of WSL 2 report `microsoft-standard-WSL2` or
 * `WSL2`.
 */
export function insideWsl({ version, interop }: WslSigns): InsideWsl {
  const release = /^Linux version (\S+)/u.exec(version)?.[1] ?? '';
  const kind = /-wsl2\b|microsoft-standard/iu.test(release)
    ? 'wsl2'
    : release.endsWith('-Microsoft')
      ? 'wsl1'
      : undefined;
  return kind === undefined ? { kind: 'no' } : { kind, interop: interop.startsWith('enabled') ? 'on' : 'off' };
}
