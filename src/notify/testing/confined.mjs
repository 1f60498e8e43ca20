// Confines itself like a box, reports its listener's descriptor and its own PID, and becomes the command. usage: node
// confined.mjs READY-FILE NUMBERS COMMAND...; a line on descriptor 0 starts it. READY-FILE gets both numbers.
import { readSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const koffi = createRequire(import.meta.url)('koffi');
const libc = koffi.load(null);
const syscall = libc.func('long syscall(long, long, long, long, long, long, long)');
const execve = libc.func('int execve(const char *, const char **, const char **)');
const prctl = libc.func('int prctl(int, long, long, long, long)');

const [ready, list, program, ...words] = process.argv.slice(2);
const numbers = list.split(',').map(Number);
const seccomp = process.arch === 'x64' ? 317 : 277;
const step = (code, [yes, no], operand) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
};
const filter = Buffer.concat([step(0x20, [0, 0], 0), ...numbers.map((number, index) => step(0x15, [numbers.length - index, 0], number)), step(0x06, [0, 0], 0x7fff0000), step(0x06, [0, 0], 0x7fc00000)]);
const structure = Buffer.alloc(16);
structure.writeUInt16LE(filter.length / 8, 0);
structure.writeBigUInt64LE(koffi.address(filter), 8);

prctl(38, 1, 0, 0, 0);
// Node closes its own standard descriptors on exec.
const fcntl = process.arch === 'x64' ? 72 : 25;
for (const standard of [0, 1, 2]) syscall(fcntl, standard, 2, 0, 0, 0, 0);
// Written with raw calls once the filter is there: opening a file would wait for a supervisor that does not know the
// filter yet.
const name = `${ready}.new`;
writeFileSync(name, '');
const { openSync, writeSync } = await import('node:fs');
const file = openSync(name, 'w');
// The file gets its final name before its content is complete, so a reader waits for the end of the line.
renameSync(name, ready);
const argv = [program, ...words, null];
const environment = Object.entries(process.env).map(([key, value]) => `${key}=${value}`);
const descriptor = syscall(seccomp, 1, 8, koffi.address(structure), 0, 0, 0);
writeSync(file, `${descriptor} ${process.pid}\n`);
readSync(0, Buffer.alloc(1));
execve(program, argv, [...environment, null]);
process.exit(127);
