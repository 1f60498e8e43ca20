import type { Files } from '../../src/files/index.ts';
import { change, refusalCode, type AttackOperation } from './operate.ts';

/** What became of the tries of one operation. */
export interface Tally {
  tries: number;
  done: number;
  readonly refused: Record<string, number>;
}

export interface Race {
  readonly files: Files;
  /** Paths are relative to where `files` start. */
  readonly cycle: readonly AttackOperation[];
  readonly tries: number;
  /** Called between two rounds. */
  readonly each?: (tries: number) => void;
}

/** Calls in one round, all on their way at once. */
const atOnce = 512;
/** Every other round is batches of this many. */
const batched = 64;

/** Tries the operations of the cycle in turn, by single calls and by batches. */
export async function race({ files, cycle, tries, each }: Race): Promise<ReadonlyMap<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (let begun = 0, round = 0; begun < tries; begun += atOnce, round += 1) {
    const operations = Array.from({ length: Math.min(atOnce, tries - begun) }, (_, index) => cycle[(begun + index) % cycle.length] as AttackOperation);
    const codes = await (round % 2 === 0 ? bySingleCalls : byBatches)(files, operations);
    for (const [index, { op }] of operations.entries()) count(tallies, op, codes[index]);
    each?.(begun + operations.length);
  }
  return tallies;
}

async function bySingleCalls(files: Files, operations: readonly AttackOperation[]): Promise<readonly (string | undefined)[]> {
  return Promise.all(operations.map(async (operation) => Promise.resolve(change(files, operation)).then(() => undefined, refusalCode)));
}

async function byBatches(files: Files, operations: readonly AttackOperation[]): Promise<readonly (string | undefined)[]> {
  const parts = Array.from({ length: Math.ceil(operations.length / batched) }, (_, part) => operations.slice(part * batched, (part + 1) * batched));
  const outcomes = await Promise.all(parts.map((part) => files.batch((batch) => part.forEach((operation) => change(batch, operation)), { onFailure: 'continue' })));
  return outcomes.flat().map((outcome) => (outcome.kind === 'failed' ? refusalCode(outcome.error) : outcome.kind === 'done' ? undefined : 'not-run'));
}

function count(tallies: Map<string, Tally>, op: string, code: string | undefined): void {
  const tally = tallies.get(op) ?? { tries: 0, done: 0, refused: {} };
  tallies.set(op, tally);
  tally.tries += 1;
  if (code === undefined) tally.done += 1;
  else tally.refused[code] = (tally.refused[code] ?? 0) + 1;
}
