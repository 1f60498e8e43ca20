/** Directories of programs on every system, whatever a `PATH` says. */
export const systemDirectories: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];
