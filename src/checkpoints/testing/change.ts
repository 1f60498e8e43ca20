import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import * as fc from 'fast-check';
import { atFdcwd, kernelCall, setAttribute, terminated } from '../../kernel/index.ts';

/** One change to a tree. Impossible changes are skipped. */
export interface Change {
  readonly kind:
    | 'file'
    | 'directory'
    | 'symlink'
    | 'fifo'
    | 'link'
    | 'remove'
    | 'rename'
    | 'mode'
    | 'times'
    | 'attribute';
  readonly path: readonly number[];
  readonly other: readonly number[];
  readonly value: number;
}

/** Few names, so that changes affect each other. One is not UTF-8, and one has a line break. */
const names = ['a', 'b', '\xff\xfe', 'two\nlines', '.git'];

const somewhere = fc.array(fc.nat(names.length - 1), { minLength: 1, maxLength: 3 });

export const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Change['kind']>(
      'file',
      'file',
      'directory',
      'symlink',
      'fifo',
      'link',
      'remove',
      'rename',
      'mode',
      'times',
      'attribute',
    ),
    path: somewhere,
    other: somewhere,
    value: fc.nat(4095),
  }),
  { minLength: 1, maxLength: 25 },
);

export function apply(top: string, { kind, path, other, value }: Change): void {
  const [at, to] = [pathOf(top, path), pathOf(top, other)];
  const work: Readonly<Record<Change['kind'], () => void>> = {
    // The last size exceeds one read.
    file: () => writeFile(at, Buffer.alloc([0, 5, 5000, 1_200_000][value % 4] ?? 0, String(value))),
    directory: () => mkdirSync(at),
    symlink: () => symlinkSync(`../${value}`, at),
    fifo: () => void kernelCall('mknodat', atFdcwd, terminated(at), 0o010000 | (value & 0o777), 0),
    link: () => linkSync(at, to),
    remove: () => rmSync(at, { recursive: true, force: true }),
    rename: () => renameSync(at, to),
    mode: () => {
      const stats = lstatSync(at);
      // Skips symlinks, because chmod would change their target. The owner keeps the right to read directories.
      if (!stats.isSymbolicLink()) chmodSync(at, stats.isDirectory() ? value | 0o500 : value | 0o400);
    },
    times: () => lutimesSync(at, value, value * 1001.123),
    attribute: () => setAttribute(at, `user.n${value % 3}`, Buffer.from(String(value))),
  };
  try {
    work[kind]();
  } catch {
    // The change was impossible.
  }
}

/** Does not wait for the reader of a FIFO. */
function writeFile(path: Buffer, content: Buffer): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK, 0o644);
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
}

/** Makes everything removable again, because ordinary users must also clean up after tests. */
export function openAll(directory: string | Buffer): void {
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory()) openAll(Buffer.concat([Buffer.from(directory), Buffer.from('/'), entry.name]));
  }
}

function pathOf(top: string, path: readonly number[]): Buffer {
  return Buffer.concat([
    Buffer.from(`${top}/`),
    Buffer.from(path.map((index) => names[index] ?? 'a').join('/'), 'latin1'),
  ]);
}
