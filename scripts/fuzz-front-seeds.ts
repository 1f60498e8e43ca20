/**
 * Writes a supervisor's messages to a front, as seeds for its fuzzer: `node fuzz-front-seeds.ts DIRECTORY`. The first
 * byte chooses, as in native/fuzz/front.c.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { encodeFrontReply } from '../src/serve/resident/front-reply.ts';

const directory = process.argv[2] ?? 'seeds';
mkdirSync(directory, { recursive: true });

const numbered = (order: string, value: number, rest = ''): Buffer => {
  const bytes = Buffer.alloc(5);
  bytes.write(order, 'latin1');
  bytes.writeUInt32LE(value, 1);
  return Buffer.concat([bytes, Buffer.from(rest)]);
};
const exit = Buffer.from([0x78, 3]);
const replies = [
  encodeFrontReply({ kind: 'cold' }),
  encodeFrontReply({ kind: 'said', text: 'no', status: 125 }),
  encodeFrontReply({ kind: 'box', text: 'mind' }),
];
const orders = [
  exit,
  Buffer.concat([numbered('w', 5, 'words'), exit]),
  Buffer.concat([Buffer.from('s\x0f'), numbered('h', 7), Buffer.from('p\0\0\0\0\0\0'), exit]),
  numbered('w', 0xffffffff, 'short'),
];
const seeds = [
  ...replies.map((bytes) => Buffer.concat([Buffer.of(0), bytes])),
  ...orders.map((bytes) => Buffer.concat([Buffer.of(1), bytes])),
];
for (const [index, seed] of seeds.entries()) writeFileSync(join(directory, String(index)), seed);
console.log(`${seeds.length} seeds in ${directory}`);
