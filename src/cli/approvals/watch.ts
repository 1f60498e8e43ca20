import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import {
  type ApprovalWatch,
  askApproval,
  type PendingApproval,
  watchApprovals,
  type WatchApprovalsOptions,
  type WatchedChange,
} from '../../approvals/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { type CommandInput, type CommandIo, jsonLine, safeText } from '../command.ts';

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

async function answerOne(
  watch: ApprovalWatch,
  approval: PendingApproval,
  { io, signal }: AnswerOptions,
): Promise<'goes-on' | 'interrupted'> {
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
  return change.outcome.kind === 'allowed'
    ? `\nallowed, by ${change.outcome.channel}`
    : `\ndenied: ${change.outcome.message}`;
}

/** Connects to every session of this user. */
export function openWatch(
  { environment }: Pick<CommandIo, 'environment'>,
  onChange?: WatchApprovalsOptions['onChange'],
): ApprovalWatch {
  return watchApprovals({
    runtime: statePaths(homedir(), environment).runtime,
    channel: 'terminal',
    ...(onChange === undefined ? {} : { onChange }),
  });
}

export function refuseWords(verb: string, words: readonly string[]): void {
  if (words.length > 0)
    throw new HoldfastError('HF_USAGE', `approvals ${verb} takes no words, got ${JSON.stringify(words[0])}`, {
      remedy: 'see `holdfast approvals --help`',
    });
}
