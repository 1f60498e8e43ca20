/**
 * Random sequences of operations, run by the worker and by Node's `fs` in a second directory: the same answers, the
 * same trees.
 */
import { lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, oneof, record, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import type { FileOperation, FileResult } from '../../types.ts';
import { startWorker } from '../testing/worker.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

/** One operation, and its form in Node. `at` returns the path of a name in the directory of the worker or of Node. */
interface Step {
  readonly name: string;
  readonly operation: (at: (name: string) => string) => FileOperation;
  readonly node: (at: (name: string) => string) => Promise<unknown>;
}

const path = constantFrom('a', 'b', 'd', 'd/a', 'd/e', 'd/e/f', 'link', 'link/a', 'missing/a', 'd/../b', 'a/');
const text = constantFrom('', 'x', 'longer text', 'ü');
const mode = constantFrom(0o600, 0o644, 0o755, 0o700);
const target = constantFrom('a', 'd', '../b', 'nowhere', 'link');

const steps: Arbitrary<Step> = oneof(
  record({ path, text, flag: constantFrom('w', 'a', 'wx', 'r+') }).map(write),
  path.map((name) =>
    step(
      `read ${name}`,
      (at) => ({ kind: 'read', path: at(name), offset: 0, length: 1000 }),
      (at) => fs.readFile(at(name)),
    ),
  ),
  record({ path, mode }).map(({ path: name, mode: bits }) =>
    step(
      `mkdir ${name}`,
      (at) => ({ kind: 'makeDirectory', path: at(name), mode: bits, parents: 'require' }),
      async (at) => void (await fs.mkdir(at(name), { mode: bits })),
    ),
  ),
  path.map((name) =>
    step(
      `mkdir -p ${name}`,
      (at) => ({ kind: 'makeDirectory', path: at(name), mode: 0o777, parents: 'make' }),
      async (at) => void (await fs.mkdir(at(name), { recursive: true })),
    ),
  ),
  record({ from: path, to: path }).map(({ from, to }) =>
    step(
      `rename ${from} ${to}`,
      (at) => ({ kind: 'rename', from: at(from), to: at(to), existing: 'replace' }),
      (at) => fs.rename(at(from), at(to)),
    ),
  ),
  record({ from: path, to: path }).map(({ from, to }) =>
    step(
      `link ${from} ${to}`,
      (at) => ({ kind: 'link', from: at(from), to: at(to) }),
      (at) => fs.link(at(from), at(to)),
    ),
  ),
  record({ path, target }).map(({ path: name, target: to }) =>
    step(
      `symlink ${to} ${name}`,
      (at) => ({ kind: 'symlink', text: to, path: at(name) }),
      (at) => fs.symlink(to, at(name)),
    ),
  ),
  path.map((name) =>
    step(
      `readlink ${name}`,
      (at) => ({ kind: 'readlink', path: at(name) }),
      (at) => fs.readlink(at(name)),
    ),
  ),
  path.map((name) =>
    step(
      `rm -rf ${name}`,
      (at) => ({ kind: 'remove', path: at(name), tree: 'whole', missing: 'ignore' }),
      async (at) => void (await withoutSlash(at(name))),
    ),
  ),
  record({ path, length: constantFrom(0, 3, 10) }).map(({ path: name, length }) =>
    step(
      `truncate ${name} ${length}`,
      (at) => ({ kind: 'truncate', path: at(name), length }),
      (at) => fs.truncate(at(name), length),
    ),
  ),
  record({ path, mode }).map(({ path: name, mode: bits }) =>
    step(
      `chmod ${name} ${bits.toString(8)}`,
      (at) => ({ kind: 'mode', path: at(name), mode: bits }),
      (at) => fs.chmod(at(name), bits),
    ),
  ),
  path.map((name) =>
    step(
      `utimes ${name}`,
      (at) => ({
        kind: 'times',
        path: at(name),
        accessed: 5_000_000_000n,
        modified: 6_500_000_000n,
        symlink: 'follow',
      }),
      (at) => fs.utimes(at(name), 5, 6.5),
    ),
  ),
  path.map((name) =>
    step(
      `stat ${name}`,
      (at) => ({ kind: 'stat', path: at(name), symlink: 'follow' }),
      async (at) => (await fs.stat(at(name))).mode,
    ),
  ),
  path.map((name) =>
    step(
      `list ${name}`,
      (at) => ({ kind: 'list', path: at(name), from: 0, detail: 'names' }),
      async (at) => (await fs.readdir(at(name))).toSorted(),
    ),
  ),
  path.map((name) =>
    step(
      `access ${name}`,
      (at) => ({ kind: 'access', path: at(name), mode: 0 }),
      (at) => fs.access(at(name)),
    ),
  ),
);

function step(name: string, operation: Step['operation'], node: Step['node']): Step {
  return { name, operation, node };
}

/** `O_WRONLY`, and the flags that each letter of `fs` adds. */
const bits = { w: 0o1101, a: 0o2101, wx: 0o301, 'r+': 0o1 } as const;

function write({
  path: name,
  text: data,
  flag,
}: {
  readonly path: string;
  readonly text: string;
  readonly flag: keyof typeof bits;
}): Step {
  const operation: Step['operation'] = (at) => ({
    kind: 'write',
    path: at(name),
    data: Buffer.from(data),
    flags: bits[flag],
    mode: 0o666,
    parents: 'require',
    replace: 'in-place',
  });
  return step(`write ${name} ${flag} ${data}`, operation, (at) => fs.writeFile(at(name), data, { flag }));
}

/**
 * For a symlink with a trailing slash, Node's `rm` empties the directory and then fails. The worker fails, and leaves
 * the directory alone.
 */
async function withoutSlash(name: string): Promise<void> {
  const stat = name.endsWith('/') ? await fs.lstat(name.slice(0, -1)).catch(() => undefined) : undefined;
  const led = stat?.isSymbolicLink() === true ? await fs.stat(name).catch(() => undefined) : undefined;
  if (led !== undefined) throw Object.assign(new Error('a symlink'), { errno: -20, syscall: 'unlink' });
  await fs.rm(name, { recursive: true, force: true });
}

test('a sequence of operations comes to the same as with node:fs', async () => {
  const { worker, at } = startWorker();
  let round = 0;
  await assert(
    asyncProperty(array(steps, { minLength: 1, maxLength: 25 }), async (sequence) => {
      round += 1;
      const [ours, theirs] = [at(`ours-${round}`), at(`theirs-${round}`)];
      mkdirSync(ours);
      mkdirSync(theirs);
      for (const { name, operation, node } of sequence) {
        const answer = simplify(await worker.run(operation((path_) => join2(ours, path_))));
        const expected = await node((path_) => join2(theirs, path_)).then(
          expectation,
          (error: NodeJS.ErrnoException) => `${-(error.errno ?? 0)} ${error.syscall}`,
        );
        expect(`${name}: ${answer}`).toBe(`${name}: ${expected}`);
      }
      expect(snapshot(ours)).toEqual(snapshot(theirs));
    }),
    { numRuns: rounds(300) },
  );
}, 300_000);

/** Unlike `join`, leaves `..` and slashes to the kernel. */
function join2(directory: string, name: string): string {
  return `${directory}/${name}`;
}

function simplify(result: FileResult): string {
  switch (result.kind) {
    case 'failed':
      return `${result.errno} ${result.syscall}`;
    case 'data':
      return Buffer.from(result.data).toString();
    case 'path':
      return Buffer.from(result.path).toString();
    case 'stat':
      return String(result.stat.mode);
    case 'entries':
      return result.entries
        .map(({ name }) => Buffer.from(name).toString())
        .toSorted()
        .join();
    case 'done':
    case 'opened':
    case 'written':
      return '';
  }
}

function expectation(value: unknown): string {
  return value === undefined ? '' : String(value);
}

function snapshot(root: string, prefix = ''): readonly string[] {
  return readdirSync(join(root, prefix))
    .toSorted()
    .flatMap((name) => {
      const relative = join(prefix, name);
      const stat = lstatSync(join(root, relative));
      const content = stat.isFile()
        ? readFileSync(join(root, relative), 'utf8')
        : stat.isSymbolicLink()
          ? readlinkSync(join(root, relative))
          : '';
      return [
        `${relative} ${stat.mode.toString(8)} ${stat.isDirectory() ? '' : stat.nlink} ${content}`,
        ...(stat.isDirectory() ? snapshot(root, relative) : []),
      ];
    });
}
