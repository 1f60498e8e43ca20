/** Guarantees that a policy may require of the backend, by the plan's names. */
export const guaranteeNames = [
  'fs.read',
  'fs.write',
  'fs.deny-in-allow',
  'fs.stage',
  'fs.exec',
  'net.closed',
  'net.names',
  'pid',
  'ipc',
  'unix-sockets',
  'abstract-sockets',
  'signals',
  'syscalls',
  'limits.memory',
  'limits.processes',
  'limits.cpu',
  'limits.disk',
  'kernel.separate',
  'hardware.separate',
] as const;

export type GuaranteeName = (typeof guaranteeNames)[number];
