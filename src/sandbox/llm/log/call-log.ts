import type { DlpRule, LlmLog } from '../../../policy/index.ts';
import type { LookedCall } from '../carry-call.ts';
import { type KeptCall, openKeptCall } from './kept-call.ts';
import { pruneCalls } from './prune-calls.ts';
import { createRedactor, lookedForIn, type Redactor } from './redactor.ts';

export interface CallLogOptions {
  readonly directory: string;
  readonly session: string;
  readonly workspace: string;
  /** As the policy is now; undefined while it is invalid. */
  readonly settings: () => LlmLog | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Keeps texts of calls where the policy says so, for as long and as many as it says. */
export interface CallLog {
  /** Undefined where nothing is to be kept. */
  readonly open: (call: LookedCall) => KeptCall | undefined;
}

/** What other sessions write is seen at the latest when this share of the most has been written here. */
const share = 20;

/** What is too old goes at once, whether or not anything is kept by now. */
export function createCallLog({ directory, session, workspace, settings, now }: CallLogOptions): CallLog {
  let left = 0;
  let written = 0;
  let pruning: Promise<void> | undefined;
  const prune = ({ keep, most }: LlmLog): void => {
    if (pruning !== undefined) return;
    written = 0;
    pruning = pruneCalls(directory, { keep, most, now: now() }).then((bytes) => {
      left = bytes;
      pruning = undefined;
      // What came meanwhile may not have been seen.
      look();
    });
  };
  const look = (): void => {
    const log = settings();
    if (log !== undefined && written > 0 && (left + written > log.most || written > log.most / share)) prune(log);
  };
  const onKept = (size: number): void => {
    written += size;
    look();
  };
  const redactorFor = redactors();
  const log = settings();
  if (log !== undefined) prune(log);
  return {
    open: (call) => (call.settings.log.texts === 'not-kept' ? undefined : openKeptCall({ directory, session, workspace, onKept, redactor: redactorFor(call) }, call)),
  };
}

/** The gateway knows rules again that are the same objects. */
function redactors(): (call: LookedCall) => Redactor {
  let made: { readonly of: readonly DlpRule[]; readonly rules: readonly DlpRule[] } = { of: [], rules: lookedForIn([]) };
  return ({ gateway, rules: of }) => {
    if (made.of.length !== of.length || of.some((rule, index) => rule !== made.of[index])) made = { of, rules: lookedForIn(of) };
    const rules = gateway.rulesFor(made.rules);
    return rules === undefined ? nothing : createRedactor({ rules, fakes: gateway.fakes });
  };
}

/** Nobody could look for anything, so nothing is kept. */
const nothing: Redactor = { json: () => undefined, text: () => '' };
