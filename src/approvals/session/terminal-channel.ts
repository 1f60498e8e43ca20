import process from 'node:process';
import { isatty } from 'node:tty';
import { askApproval, type ApprovalQueue, type PendingApproval, type QueueChange } from '../index.ts';
import { openTerminal } from '../prompt/terminal.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { isContinuousIntegration } from './continuous-integration.ts';

/** `ours`: only Holdfast reads from it. `given-away`: a command may have it. */
export type TerminalUse = 'ours' | 'given-away' | 'none';

export interface TerminalChannel {
  /** Whether a person is at a terminal that shows questions, or says how to answer them. */
  person(): 'there' | 'nobody';
  close(): void;
}

interface Shown {
  /** Changes during the session. */
  readonly state: { readonly terminal: TerminalUse };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Asks at the terminal that the session was started from, one question after the other, while no command has it.
 * Otherwise the command could paint over the question, so one line says where to answer instead.
 */
export function terminalChannel(queue: ApprovalQueue, { state, environment }: Shown): TerminalChannel {
  if (state.terminal === 'none' || isContinuousIntegration(environment))
    return { person: () => 'nobody', close: () => undefined };
  const stop = new AbortController();
  const withdrawals = new Map<string, AbortController>();
  let last: Promise<unknown> = Promise.resolve();
  const hear = (change: QueueChange): void => {
    const { approval } = change;
    withdrawals.get(approval.hash)?.abort();
    withdrawals.delete(approval.hash);
    if (change.kind === 'resolved') return;
    if (state.terminal === 'given-away') return tell(queue, approval);
    const withdrawn = new AbortController();
    withdrawals.set(approval.hash, withdrawn);
    const signal = AbortSignal.any([stop.signal, withdrawn.signal]);
    // A failing terminal gives no answer. The question waits for other channels, and the next one is still asked.
    last = last
      .then(() => (state.terminal === 'ours' ? ask(queue, approval, signal) : undefined))
      .catch(() => undefined);
  };
  const unsubscribe = queue.subscribe(hear);
  return {
    person: () => ((state.terminal === 'given-away' ? isatty(2) : isFree()) ? 'there' : 'nobody'),
    close() {
      unsubscribe();
      stop.abort();
    },
  };
}

function isFree(): boolean {
  const terminal = openTerminal();
  if (typeof terminal === 'string') return false;
  terminal.close();
  return true;
}

/** Asks again if the session did not take the answer: a wrong code, or a rule that could not be written. */
async function ask(queue: ApprovalQueue, approval: PendingApproval, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await askApproval(approval, { signal });
    if (answer.kind === 'none' && answer.because !== 'interrupted') return;
    const given =
      answer.kind === 'none'
        ? { decision: 'deny' as const }
        : { decision: answer.decision, ...(answer.code === undefined ? {} : { code: answer.code }) };
    const result = queue.answer({ hash: approval.hash, channel: 'prompt', ...given });
    if (result.kind === 'taken' || result.kind === 'unknown') return;
    process.stderr.write(`${result.kind === 'refused' ? escapeHidden(result.message) : 'that code is wrong'}\n`);
  }
}

/** Questions that get a line each. A screen full of them would hide the command's output. */
const mostTold = 3;

/** A program may have left the terminal in raw mode, in which a line also needs a carriage return. */
function tell(queue: ApprovalQueue, { id, title, expiresAt, askedAt }: PendingApproval): void {
  if (!isatty(2)) return;
  const waiting = queue.pending().length;
  if (waiting > mostTold + 1) return;
  const seconds = Math.round((expiresAt - askedAt) / 1000);
  const line =
    waiting > mostTold
      ? 'more questions wait: holdfast approvals watch'
      : `waits ${seconds} s for approval: ${escapeHidden(title)}; answer in another terminal: holdfast approvals allow ${id}`;
  process.stderr.write(`holdfast: ${line}\r\n`);
}
