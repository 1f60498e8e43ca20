import { spawn } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  appendFileSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Files } from '../../../src/files/index.ts';
import { change, refusalCode, type AttackOperation } from './operate.ts';

/** The results of one row's tries. */
export interface Tally {
  tries: number;
  done: number;
  /** By the code of the error. */
  readonly refused: Record<string, number>;
}

export interface Race {
  readonly files: Files;
  /** The arena of an attack run: its `ws` and `outside` have a directory for each row. */
  readonly arena: string;
  readonly canary: string;
  /** Directory of `exchange`. */
  readonly tools: string;
  /** Minimum for each row. A row that has met the directory or the symlink alone gets more. */
  readonly tries: number;
  readonly each: (row: string, tally: Tally) => void;
}

/**
 * Tries the operation in the third column of each row, through a directory `d`. Another process exchanges `d` with a
 * symlink to the outside all the while. 64 tries run at once, by single calls and by batches in turn.
 */
export async function raceRows(table: string, race: Race): Promise<void> {
  for (const line of readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '')) {
    const [row = '', , operation = '{}'] = line.split('\t');
    race.each(row, await raceRow(join(race.arena, 'ws', row), JSON.parse(operation) as AttackOperation, race));
    appendFileSync(join(race.arena, 'ws/tried'), `${row}\n`);
  }
}

const namesCount = 64;
const treesCount = 8;

async function raceRow(here: string, operation: AttackOperation, race: Race): Promise<Tally> {
  const tally: Tally = { tries: 0, done: 0, refused: {} };
  const real = openSync(join(here, 'd'), 'r');
  // Its descriptor reaches the directory under any name.
  const d = `/proc/self/fd/${real}`;
  const swapper = spawn(join(race.tools, 'exchange'), [join(here, 'd'), join(here, 'link'), '1000000000000'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    for (let round = 0; goesOn(tally, race); round += 1) {
      restore(here, d);
      const operations = Array.from(
        { length: tally.tries < race.tries ? Math.min(namesCount, race.tries - tally.tries) : namesCount },
        (_, turn) => named(here, operation, turn),
      );
      const perform = round % 2 === 0 || operation.op === 'read' ? bySingleCalls : byBatch;
      for (const code of await perform(operations, race)) count(tally, code);
      keepLoot(here, race);
      if (swapper.exitCode !== null) throw new Error('nobody exchanges the directory any more');
    }
  } finally {
    if (swapper.exitCode === null) swapper.kill('SIGKILL');
    if (swapper.exitCode === null && swapper.signalCode === null) await once(swapper, 'exit');
    restore(here, d);
    closeSync(real);
  }
  if (lstatSync(join(here, 'd')).isSymbolicLink()) putBack(here);
  return tally;
}

/**
 * The factor of additional tries for a row that has met one of the two alone. A quick supervisor makes two hundred
 * tries while the other process waits for a processor.
 */
const patience = 20;

function goesOn({ tries, done, refused }: Tally, race: Race): boolean {
  const hasMetBoth = done > 0 && Object.keys(refused).length > 0;
  return tries < race.tries || (!hasMetBoth && tries < patience * race.tries);
}

/** The race is over. Not through `files`, because gVisor exchanges no two names. */
function putBack(here: string): void {
  for (const [from, to] of [
    ['d', 'other'],
    ['link', 'd'],
    ['other', 'link'],
  ] as const)
    renameSync(join(here, from), join(here, to));
}

function named(here: string, { path, from, to, ...rest }: AttackOperation, turn: number): AttackOperation {
  const at = (name: string | undefined, key: string) =>
    name === undefined
      ? {}
      : { [key]: join(here, name.replace('#8', String(turn % treesCount)).replace('#', String(turn))) };
  return { ...rest, ...at(path, 'path'), ...at(from, 'from'), ...at(to, 'to') };
}

async function bySingleCalls(
  operations: readonly AttackOperation[],
  race: Race,
): Promise<readonly (string | undefined)[]> {
  const perform = async (operation: AttackOperation) =>
    operation.op === 'read' ? readOne(operation.path ?? '', race) : change(race.files, operation);
  return Promise.all(operations.map(async (operation) => perform(operation).then(() => undefined, refusalCode)));
}

async function readOne(path: string, { files, arena, canary }: Race): Promise<void> {
  const content = await files.read(path);
  if (content.includes(canary)) appendFileSync(join(arena, 'ws/loot'), content);
}

async function byBatch(
  operations: readonly AttackOperation[],
  { files }: Race,
): Promise<readonly (string | undefined)[]> {
  const outcomes = await files.batch((batch) => operations.forEach((operation) => change(batch, operation)), {
    onFailure: 'continue',
  });
  return outcomes.map((outcome) =>
    outcome.kind === 'failed' ? refusalCode(outcome.error) : outcome.kind === 'done' ? undefined : 'not-run',
  );
}

/** The copied content, if it does not belong to the workspace. */
function keepLoot(here: string, { arena, canary }: Race): void {
  for (const name of readdirSync(here).filter((name) => name.startsWith('got'))) {
    const content = readFileSync(join(here, name));
    if (content.includes(canary)) appendFileSync(join(arena, 'ws/loot'), content);
  }
}

function count(tally: Tally, code: string | undefined): void {
  tally.tries += 1;
  if (code === undefined) tally.done += 1;
  else tally.refused[code] = (tally.refused[code] ?? 0) + 1;
}

const wantedFiles = Array.from({ length: namesCount }, (_, turn) => `f${turn}`);
const wantedTrees = Array.from({ length: treesCount }, (_, turn) => `t${turn}`);
const wanted = new Set([...wantedFiles, ...wantedTrees]);

/** Restores everything except the files outside. */
function restore(here: string, d: string): void {
  for (const directory of [d, join(here, 'seed')]) {
    const found = new Set(readdirSync(directory));
    for (const name of found) if (!wanted.has(name)) rmSync(join(directory, name), { recursive: true });
    for (const name of wantedFiles) if (!found.has(name)) writeFileSync(join(directory, name), 'ours\n');
    for (const name of wantedTrees) if (readTree(join(directory, name)) === 'missing') makeTree(join(directory, name));
  }
  for (const name of readdirSync(here)) if (name.startsWith('got')) rmSync(join(here, name), { recursive: true });
}

function readTree(tree: string): 'whole' | 'missing' {
  return lstatSync(join(tree, 'deep/file'), { throwIfNoEntry: false }) === undefined ? 'missing' : 'whole';
}

function makeTree(tree: string): void {
  mkdirSync(join(tree, 'deep'), { recursive: true });
  writeFileSync(join(tree, 'deep/file'), 'ours\n');
}
