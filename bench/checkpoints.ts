import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Checkpoints } from '../src/checkpoints/checkpoints.ts';
import { measure } from './lib/measure.ts';
import { type Contestant, selfTimed } from './lib/contestant.ts';
import { type Report, timeTable } from './lib/report.ts';

const files = 20_000;
const perDirectory = 100;
const changed = 200;
const copy = 'cp -a';

/** Checkpoints a tree of 20,000 files of 1 to 8 KB, again after a few changes, and restores it. */
export async function checkpoints(): Promise<Report> {
  const top = realpathSync(mkdtempSync('/var/tmp/holdfast-bench-checkpoints-'));
  process.once('exit', () => rmSync(top, { recursive: true, force: true }));
  const workspace = join(top, 'workspace');
  plant(workspace);
  const results = await measure(contestants(top, workspace), { rounds: 2, warmups: 0 });
  const notes = `${files} files. "again" and "back": after ${changed} of them were changed. Ours waits for the disk before it says that it is done; the others do not.`;
  return {
    title: 'checkpoints: a whole tree kept and brought back',
    parts: [timeTable(results, copy), notes],
    budgets: [],
  };
}

function plant(workspace: string): void {
  for (let number = 0; number < files; number += 1) {
    const directory = join(workspace, `d${Math.floor(number / perDirectory)}`);
    if (number % perDirectory === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `f${number}`), `${number}\n`.repeat(150 + (number % 1000)));
  }
}

function change(workspace: string, round: number): void {
  for (let number = 0; number < changed; number += 1) {
    const chosen = (number * 97 + round) % files;
    writeFileSync(
      join(workspace, `d${Math.floor(chosen / perDirectory)}`, `f${chosen}`),
      `round ${round}\n`.repeat(200),
    );
  }
}

function contestants(top: string, workspace: string): readonly Contestant[] {
  let round = 0;
  const fresh = (): string => join(top, `state${(round += 1)}`);
  const kept = new Checkpoints({ directory: join(top, 'state/checkpoints'), workspace });
  const { id } = kept.create().summary;
  const git = (...words: readonly string[]): void =>
    void execFileSync('git', ['--git-dir', join(top, 'git'), '--work-tree', workspace, ...words], { stdio: 'ignore' });
  return [
    timed(copy, () => {
      const to = fresh();
      return [() => execFileSync('cp', ['-a', workspace, to]), to];
    }),
    timed('git add -A; git write-tree, first', () => [
      () =>
        runAll(
          () => git('init', '-q'),
          () => git('add', '-A'),
          () => git('write-tree'),
        ),
      join(top, 'git'),
    ]),
    timed('holdfast create, first', () => {
      const to = fresh();
      return [() => new Checkpoints({ directory: join(to, 'checkpoints'), workspace }).create(), to];
    }),
    timed('holdfast create, again', () => {
      change(workspace, (round += 1));
      return [() => kept.create(), undefined];
    }),
    timed('holdfast restore, back', () => {
      change(workspace, (round += 1));
      return [() => kept.restore(id), undefined];
    }),
  ];
}

function runAll(...steps: readonly (() => void)[]): void {
  for (const step of steps) step();
}

/** Times the operation that `prepare` returns, and removes its files afterwards. */
function timed(
  name: string,
  prepare: () => readonly [operation: () => unknown, written: string | undefined],
): Contestant {
  return selfTimed(name, async () => {
    const [operation, written] = prepare();
    const begin = performance.now();
    operation();
    const time = performance.now() - begin;
    if (written !== undefined) rmSync(written, { recursive: true });
    return time;
  });
}
