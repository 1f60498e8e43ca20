/** Writes requests as seeds for the fuzzer of the files worker: `node fuzz-files-seeds.ts DIRECTORY`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { FileOperation } from '../src/files/types.ts';
import { encodeCancel, encodeFileRequest } from '../src/files/wire/encode-request.ts';

const directory = process.argv[2] ?? 'seeds';
const data = Buffer.from('content');

/** One of each kind, over the few names that the fuzzer plants: d, d/e, d/f, l (to d/f), m, p. */
const operations: readonly FileOperation[] = [
  { kind: 'read', path: 'd/f', offset: 0, length: 100 },
  { kind: 'write', path: 'd/n/f', data, flags: 0o1101, mode: 0o644, parents: 'make', replace: 'in-place' },
  { kind: 'write', path: 'l', data, flags: 0o1100, mode: 0o644, parents: 'require', replace: 'atomic' },
  { kind: 'open', path: 'd/f', flags: 0o102, mode: 0o600, parents: 'require', replace: 'in-place' },
  { kind: 'open', path: 'd/g', flags: 0o101, mode: 0o600, parents: 'make', replace: 'atomic' },
  { kind: 'readAt', handle: 256, offset: 0, length: 10 },
  { kind: 'writeAt', handle: 256, offset: -1, data },
  { kind: 'close', handle: 256, how: 'sync' },
  { kind: 'list', path: 'd', from: 0, detail: 'stat' },
  { kind: 'list', path: '.', from: 1, detail: 'names' },
  { kind: 'stat', path: 'l', symlink: 'itself' },
  { kind: 'makeDirectory', path: 'x/y/z', mode: 0o700, parents: 'make' },
  { kind: 'copy', from: 'd', to: 'copy', tree: 'whole', existing: 'replace', preserve: 'all', symlink: 'itself' },
  { kind: 'copy', from: 'm', to: 'd/m', tree: 'single', existing: 'keep', preserve: 'mode', symlink: 'follow' },
  { kind: 'rename', from: 'd', to: 'q', existing: 'exchange' },
  { kind: 'link', from: 'm', to: 'd/k' },
  { kind: 'symlink', text: 'd', path: 's' },
  { kind: 'readlink', path: 'l' },
  { kind: 'realpath', path: 'l' },
  { kind: 'truncate', path: 'd/f', length: 3 },
  { kind: 'times', path: 'm', accessed: 'now', modified: 1_000_000_001n, symlink: 'follow' },
  { kind: 'owner', path: 'm', uid: -1, gid: -1, symlink: 'itself' },
  { kind: 'mode', path: 'm', mode: 0o640 },
  { kind: 'remove', path: 'd', tree: 'whole', missing: 'ignore' },
  { kind: 'temporary', type: 'file', directory: 'd', prefix: 'p', suffix: 's' },
  { kind: 'access', path: 'd/f', mode: 4 },
  { kind: 'watch', path: '.', depth: 'tree' },
  { kind: 'unwatch', handle: 64 },
];

const single = operations.map((operation) => encodeFileRequest({ id: 1, operations: [operation], stop: 'never' }));
const all = encodeFileRequest({ id: 2, operations, stop: 'never' });
const watched = encodeFileRequest({
  id: 3,
  operations: [{ kind: 'watch', path: '.', depth: 'tree' }, ...operations],
  stop: 'at-failure',
});
const seeds = [...single, all, watched, encodeCancel(1), Buffer.concat([...single, encodeCancel(2), all])];

mkdirSync(directory, { recursive: true });
for (const seed of seeds) writeFileSync(join(directory, createHash('sha1').update(seed).digest('hex')), seed);
console.log(`${seeds.length} seeds in ${directory}`);
