/** What a policy may require of the backend, in the words of the plan. */
export const guaranteeNames = [
  'fs.read',
  'fs.write',
  'fs.deny-in-allow',
  'fs.stage',
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
