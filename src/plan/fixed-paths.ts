/** Path inside the box of a file that describes the session and its policy. Read-only, and never a file of the host. */
export const sessionFile = '/run/holdfast/session.json';

/** Directories of programs on every system, under every `PATH`. */
export const systemDirectories: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];
