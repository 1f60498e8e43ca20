import type { SetupPlan, SetupWishes } from './plan-setup.ts';
import type { SettingsChange } from '../../agents/init/plan-change.ts';
import type { ProofResult } from '../../sandbox/doctor/prove.ts';
import { diffOf } from '../init.ts';

/** Describes every change, and the settings that are not carried over. */
export function planText(wishes: SetupWishes, plan: SetupPlan): string {
  const { policy, hooks, notCarried, notImported } = plan;
  return [
    '\n',
    ...[policy, ...hooks].map(changeText),
    ...notImported.map(({ file, message }) => `not imported: ${file}: ${message}\n`),
    ...notCarried.map(({ at, why, effect }) => `${effect === 'none' ? 'not carried' : effect}: ${at}: ${why}\n`),
    ...wishes.agents.map(({ title, name }) => `${title} gets its profile with every \`holdfast run ${name}\`\n`),
    '\n',
  ].join('');
}

function changeText(change: SettingsChange): string {
  return change.before === change.after ? `${change.file}: nothing to change\n` : diffOf(change);
}

export interface SetupResult {
  readonly wishes: SetupWishes;
  readonly plan: SetupPlan;
  readonly outcome: 'shown' | 'written';
  readonly proof?: ProofSummary | undefined;
}

/** Returns the result for `--json`. */
export function resultOf({ wishes, plan, outcome, proof }: SetupResult): object {
  const { policy, hooks, keys, notCarried, notImported } = plan;
  return {
    agents: wishes.agents.map(({ name, program, settings }) => ({
      name,
      program: program ?? null,
      settings: settings ?? null,
    })),
    changes: [policy, ...hooks].map((change) => changeResult(change, outcome)),
    keys: keys.map(({ key, from }) => ({ variable: key.variable, provider: key.provider, from })),
    notCarried,
    notImported,
    proof: proof ?? null,
    next: nextCommand(wishes),
  };
}

export function changeResult(change: SettingsChange, outcome: 'shown' | 'written' | 'put-back'): object {
  const same = change.before === change.after;
  return { file: change.file, outcome: same ? 'unchanged' : outcome, diff: same ? '' : diffOf(change) };
}

/** Returns the command to type: an agent that can start, if there is one. */
export function nextCommand({ agents }: SetupWishes): string {
  const agent = agents.find(({ program }) => program !== undefined) ?? agents[0];
  return `holdfast run ${agent?.name ?? '-- COMMAND'}`;
}

export interface ProofSummary {
  readonly verdict: 'holds' | 'fails';
  readonly attempts: number;
  /** Attempts that escaped the guarantees. */
  readonly escaped: readonly string[];
}

export function proofSummary(
  proofs: readonly ProofResult[],
  verdict: ProofSummary['verdict'],
  isEscape: (proof: ProofResult) => boolean,
): ProofSummary {
  const escaped = proofs.filter(isEscape).map(({ backend, title }) => `${backend}: ${title}`);
  return { verdict, attempts: proofs.length, escaped };
}

export function proofText({ verdict, attempts, escaped }: ProofSummary): string {
  const said =
    verdict === 'holds'
      ? `${attempts} escape attempts: the sandbox holds the guarantees of the default policy\n`
      : `the sandbox does NOT hold the guarantees of the default policy: see \`holdfast doctor --prove\`\n`;
  return [...escaped.map((each) => `escaped: ${each}\n`), said].join('');
}
