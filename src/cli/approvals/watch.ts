import { isatty } from 'node:tty';
import { askApproval, type ApprovalWatch, type PendingApproval, type WatchedChange } from '../../approvals/index.ts';
import type { CommandInput, CommandIo } from '../command.ts';
import { jsonLine } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { openWatch, refuseWords } from './open-watch.ts';

/** Until it is ended: by Ctrl-C, or when nobody reads what it prints. */
export async function watchAll({ io }: CommandInput, words: readonly string[]): Promise<number> {
  refuseWords('watch', words);
  if (isatty(0) && isatty(1)) return answerEach(io);
  openWatch(io, (change) => io.stdout.write(jsonLine(change)));
  return new Promise<number>(() => undefined);
}

/** One question after the other, oldest first. One that is answered elsewhere makes room for the next. */
async function answerEach(io: CommandIo): Promise<number> {
  let wake = (): void => undefined;
  let shown: { readonly hash: string; readonly withdraw: () => void } | undefined;
  const watch = openWatch(io, (change) => {
    if (change.kind !== 'asked' && change.approval.hash === shown?.hash) {
      shown.withdraw();
      io.stdout.write(safeText(`${goneText(change)}\n`));
    }
    wake();
  });
  io.stdout.write('waiting for questions of any session; Ctrl-C ends this\n');
  for (;;) {
    const [next] = watch.pending();
    if (next === undefined) {
      await new Promise<void>((resolve) => (wake = resolve));
      continue;
    }
    const withdrawn = new AbortController();
    shown = { hash: next.hash, withdraw: () => withdrawn.abort() };
    const ended = await answerOne(watch, next, { io, signal: withdrawn.signal });
    shown = undefined;
    if (ended === 'interrupted') {
      watch.close();
      return 128 + 2;
    }
  }
}

interface AnswerOptions {
  readonly io: CommandIo;
  readonly signal: AbortSignal;
}

async function answerOne(watch: ApprovalWatch, approval: PendingApproval, { io, signal }: AnswerOptions): Promise<'goes-on' | 'interrupted'> {
  const answer = await askApproval(approval, { signal });
  if (answer.kind === 'none') return answer.because === 'withdrawn' ? 'goes-on' : 'interrupted';
  const { decision, code } = answer;
  const result = await watch.answer({ hash: approval.hash, decision, ...(code === undefined ? {} : { code }) });
  if (result.kind === 'refused') io.stdout.write(safeText(`${result.message}\n`));
  if (result.kind === 'code-wrong') io.stdout.write('the code is wrong, or was used\n');
  return 'goes-on';
}

function goneText(change: Exclude<WatchedChange, { readonly kind: 'asked' }>): string {
  if (change.kind === 'lost') return '\nits session has ended';
  return change.outcome.kind === 'allowed' ? `\nallowed, by ${change.outcome.channel}` : `\ndenied: ${change.outcome.message}`;
}
