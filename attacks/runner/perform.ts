import { manners, trialName, type Backend, type Family, type Trial, type UserName } from './attack.ts';
import { controlProblem, judgeOpen, judgeProtected, judgeRefusing, lastLine, type Outcome } from './judge.ts';
import { missingFor } from './machine.ts';
import { stage } from './stage.ts';

export interface Result {
  readonly name: string;
  readonly family: Family;
  readonly title: string;
  readonly source: string;
  readonly user: UserName;
  readonly backend: Backend;
  /** `worked`: without Holdfast, the attack succeeds here. */
  readonly control: 'worked' | 'failed' | 'not run';
  readonly outcome: Outcome;
}

export interface PerformOptions {
  readonly tools: string;
  readonly holdfast: string;
  /** Each with the reason why it does not work here, or undefined. */
  readonly backends: ReadonlyMap<Backend, string | undefined>;
}

/** One trial: the control once, then a protected run for each backend. Never rejects. */
export async function performTrial(trial: Trial, options: PerformOptions): Promise<readonly Result[]> {
  try {
    return await performBoth(trial, options);
  } catch (error) {
    const outcome: Outcome = {
      kind: 'failed',
      reasons: [`the runner failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
    };
    return [...options.backends.keys()].map((backend) => ({
      ...describe(trial),
      backend,
      control: 'not run',
      outcome,
    }));
  }
}

async function performBoth(trial: Trial, options: PerformOptions): Promise<readonly Result[]> {
  const chosen = [...options.backends].filter(([backend]) => trial.attack.backends.includes(backend));
  const result = (backend: Backend, control: Result['control'], outcome: Outcome): Result => ({
    ...describe(trial),
    backend,
    control,
    outcome,
  });
  const skip = (control: Result['control'], reason: string) =>
    chosen.map(([backend]) => result(backend, control, { kind: 'skipped', reason }));

  const missing = missingFor(trial);
  if (missing !== undefined) return skip('not run', missing);
  const control = await stage(trial, {
    tools: options.tools,
    holdfast: undefined,
    backend: 'native',
    ownWork: new Set(),
  });
  if (control.kind === 'no setup') return skip('failed', `its setup failed: ${lastLine(control.log)}`);
  const problem = controlProblem(control.performance, trial.attack.rows);
  if (problem !== undefined) return skip('failed', problem);

  const results: Result[] = [];
  for (const [backend, absent] of chosen) {
    const outcome =
      absent === undefined
        ? await protectedOutcome(trial, { ...options, backend, ownWork: control.made })
        : ({ kind: 'skipped', reason: absent } as const);
    results.push(result(backend, 'worked', outcome));
  }
  return results;
}

function describe(trial: Trial): Pick<Result, 'name' | 'family' | 'title' | 'source' | 'user'> {
  const { family, title, source } = trial.attack;
  return { name: trialName(trial), family, title, source, user: trial.user };
}

async function protectedOutcome(trial: Trial, options: Parameters<typeof stage>[1]): Promise<Outcome> {
  const staged = await stage(trial, options);
  return staged.kind === 'no setup'
    ? { kind: 'failed', reasons: [`its setup failed: ${lastLine(staged.log)}`] }
    : expected(trial, options.backend, judgeBy(options.backend)(staged.performance));
}

function judgeBy(backend: Backend): typeof judgeProtected {
  return manners[backend].mayRefuse === 'nothing' ? judgeProtected : judgeRefusing;
}

function expected({ attack }: Trial, backend: Backend, outcome: Outcome): Outcome {
  return attack.expect === 'open' && attack.openOn.includes(backend)
    ? judgeOpen(outcome, attack.gap ?? 'no reason is given')
    : outcome;
}
