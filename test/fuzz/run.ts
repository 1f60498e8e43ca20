import { seeded } from '../differential/random.ts';
import { answerTargets } from './answers.ts';
import { documents } from './documents.ts';
import { fakes } from './fakes.ts';
import { messages } from './messages.ts';
import { meters } from './meters.ts';
import { minimised } from './minimise.ts';
import { streamTargets } from './streams.ts';
import type { Target } from './types.ts';

export const targets: readonly Target[] = [...streamTargets, messages, documents, meters, ...answerTargets, fakes];

export interface Failure {
  readonly target: string;
  readonly seed: number;
  readonly iteration: number;
  readonly problem: string;
  /** The shortest input that fails. */
  readonly bytes: Buffer;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly from: number;
  /** Called before each iteration. */
  readonly goesOn: (iteration: number) => boolean;
  readonly only?: readonly Target[];
}

/** Runs every target once in each iteration. Reports the first failure of each target, and then skips that target. */
export function fuzz({ seed, from, goesOn, only = targets }: FuzzOptions): readonly Failure[] {
  const failures: Failure[] = [];
  const failed = new Set<Target>();
  for (let iteration = from; goesOn(iteration) && failed.size < only.length; iteration += 1) {
    for (const target of only.filter((each) => !failed.has(each))) {
      const failure = tryOnce(target, seed, iteration);
      if (failure === undefined) continue;
      failed.add(target);
      failures.push(failure);
    }
  }
  return failures;
}

/** Frequency of long, joined inputs. */
const longEvery = 250;
const longLength = 256 * 1024;
/** Milliseconds. An input takes some twenty. A quadratic algorithm takes minutes. */
const longest = 4000;

function tryOnce(target: Target, seed: number, iteration: number): Failure | undefined {
  const own = (Math.imul(seed, 0x9e37_79b1) ^ Math.imul(iteration, 0x85eb_ca6b)) >>> 0;
  const bytes = target.generate(seeded(own));
  const problem = problemOf(target, bytes, own) ?? (iteration % longEvery === 0 ? slowness(target, bytes) : undefined);
  if (problem === undefined) return undefined;
  const least = minimised(bytes, (shorter) => problemOf(target, shorter, own) !== undefined);
  return { target: target.name, seed, iteration, problem: problemOf(target, least, own) ?? problem, bytes: least };
}

function problemOf(target: Target, bytes: Buffer, seed: number): string | undefined {
  try {
    return target.problemOf(bytes, seed);
  } catch (error) {
    return error instanceof Error ? `threw: ${error.stack ?? error.message}` : 'threw something';
  }
}

function slowness(target: Target, bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  const long = Buffer.alloc(longLength, bytes);
  const start = performance.now();
  target.goOver(long);
  const took = performance.now() - start;
  return took > longest ? `took ${Math.round(took)} ms for ${longLength} bytes` : undefined;
}
