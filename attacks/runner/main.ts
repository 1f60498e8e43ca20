/**
 * Runs the attacks. Each runs without Holdfast first (the control, which must succeed). Then it runs inside a box of
 * every backend, as root and as an ordinary user. Exits 1 if one succeeds there or leaves anything behind.
 */
import { join, resolve } from 'node:path';
import process from 'node:process';
import { isHoldfastError } from '../../src/errors/index.ts';
import { trialName, type Backend, type Trial } from './attack.ts';
import { loadAttacks, selectTrials } from './catalogue.ts';
import { inOrder } from './in-order.ts';
import { buildTools, copyInstallation } from './installation.ts';
import { backendProblem } from './machine.ts';
import { parseOptions, type RunnerOptions } from './options.ts';
import { performTrial, type Result } from './perform.ts';
import { resultLines, totalsLine, totalsOf } from './report.ts';
import { sampleOf } from './sample.ts';

/** Trials spend much of their time waiting. The control of a race fails if others take the processors. */
const workers = { other: 3, race: 2, alone: 1 } as const;
/** Attacks that change files of the system. A box beside them may have planned with a file that is gone. */
const changingSystem: ReadonlySet<string> = new Set(['fs-read-system-secret']);
const attacksDirectory = resolve(import.meta.dirname, '..');

try {
  process.exitCode = await main(parseOptions(process.argv.slice(2)));
} catch (error) {
  if (!isHoldfastError(error)) throw error;
  console.error(`attacks: ${error.message}\nattacks: to fix it: ${error.remedy}`);
  process.exitCode = 2;
}

async function main(options: RunnerOptions): Promise<number> {
  const all = selectTrials(loadAttacks(options.attacks ?? attacksDirectory), options);
  const tools = buildTools(join(attacksDirectory, 'programs'));
  const { holdfast, compiled, remove } = copyInstallation(resolve(attacksDirectory, '..'));
  process.env['NODE_COMPILE_CACHE'] ??= compiled;
  const results: Result[] = [];
  const places = new Map(all.map((trial, place) => [trialName(trial), place]));
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort()).once('SIGTERM', () => interrupted.abort());
  try {
    const backends = new Map(options.backends.map((backend) => [backend, backendProblem(holdfast, backend)]));
    for (const [backend, problem] of backends)
      if (problem !== undefined) say(`ABSENT   ${backend}: ${problem}`, options);
    await inTurn(trialsOf(all, backends, options), {
      signal: interrupted.signal,
      work: (trial) => performTrial(trial, { tools, holdfast, backends }),
      deliver: (delivered) => {
        results.push(...delivered);
        for (const result of delivered) say(resultLines(result), options);
      },
    });
  } finally {
    remove();
  }
  const status = conclude(
    results.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0)),
    options,
  );
  if (!interrupted.signal.aborted) return status;
  console.error('attacks: interrupted, so not all of them have been tried');
  return 1;
}

/** Races run later, because they need the processors. */
async function inTurn(
  trials: readonly Trial[],
  steps: Parameters<typeof inOrder<Trial, readonly Result[]>>[2],
): Promise<void> {
  const groups = Map.groupBy(trials, groupOf);
  for (const group of ['other', 'race', 'alone'] as const)
    await inOrder(groups.get(group) ?? [], workers[group], steps);
}

function groupOf({ attack }: Trial): keyof typeof workers {
  if (changingSystem.has(attack.name)) return 'alone';
  return /(?:^|-)race(?:-|$)/u.test(attack.name) ? 'race' : 'other';
}

/** A sample has only trials that work here. A full run also has the skipped ones. */
function trialsOf(
  trials: readonly Trial[],
  backends: ReadonlyMap<Backend, string | undefined>,
  options: RunnerOptions,
): readonly Trial[] {
  if (options.extent === 'whole') return trials;
  const working = [...backends].flatMap(([backend, problem]) => (problem === undefined ? [backend] : []));
  return sampleOf(trials, { backends: working, users: process.getuid?.() === 0 ? options.users : ['user'] });
}

/** Progress goes to stderr if stdout goes to a program or a document. */
function say(text: string, { output }: RunnerOptions): void {
  if (output === 'lines') console.log(text);
  else console.error(text);
}

function conclude(results: readonly Result[], options: RunnerOptions): number {
  const totals = totalsOf(results);
  if (options.output === 'json') console.log(JSON.stringify({ totals, results }, undefined, 2));
  say(totalsLine(totals), options);
  // If every backend is absent, the runner skips all, and the run proves nothing.
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}
