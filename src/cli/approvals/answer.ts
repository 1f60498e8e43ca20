import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import {
  type AnswerResult,
  type ApprovalDecision,
  type ApprovalWatch,
  askApproval,
  askSure,
  type GivenAnswer,
  type PendingApproval,
  watchApprovals,
  type WatchApprovalsOptions,
  type WatchedChange,
} from '../../approvals/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { type CommandInput, type CommandIo, isSet, jsonLine, printResult, safeText, optionText } from '../command.ts';

/** A command about approvals, of this machine's sessions or of another place. */
export interface ApprovalsInput extends CommandInput {
  /** Default: every session of this user on this machine. */
  readonly open?: (onChange?: WatchApprovalsOptions['onChange']) => ApprovalWatch;
}

export function openedApprovals(
  { open, io }: ApprovalsInput,
  onChange?: WatchApprovalsOptions['onChange'],
): ApprovalWatch {
  return open?.(onChange) ?? openWatch(io, onChange);
}

export function allowApproval(input: ApprovalsInput, words: readonly string[]): Promise<number> {
  const decision = chosenDecision(input);
  const code = codeOf(input);
  if (!isShownFirst(decision)) refuseShort(prefixOf(words));
  return answer(input, words, (approval) => decisionFor(approval, decision, code));
}

export function denyApproval(input: ApprovalsInput, words: readonly string[]): Promise<number> {
  return answer(input, words, ({ hash }) => Promise.resolve({ hash, decision: 'deny' }));
}

/** `decide` returns undefined if the person changed their mind. */
async function answer(
  input: ApprovalsInput,
  words: readonly string[],
  decide: (approval: PendingApproval) => Promise<GivenAnswer | undefined>,
): Promise<number> {
  const { io } = input;
  const prefix = prefixOf(words);
  const watch = openedApprovals(input);
  try {
    await watch.ready;
    const approval = theOnly(watch, prefix);
    if (approval === undefined)
      return tell(
        io,
        `no waiting approval has the ID ${prefix}: it was answered, has expired, or never existed; see \`holdfast approvals list\``,
      );
    const given = await decide(approval);
    if (given === undefined) return tell(io, 'nothing was answered');
    return report(input, { approval, given, result: await watch.answer(given) });
  } finally {
    watch.close();
  }
}

function prefixOf([prefix = '', ...more]: readonly string[]): string {
  if (/^[0-9a-f]{4,64}$/u.test(prefix) && more.length === 0) return prefix;
  throw new HoldfastError('HF_USAGE', 'expected one ID, or its first four or more digits', {
    remedy: 'copy the ID from `holdfast approvals list`',
  });
}

/**
 * Attack: between the list and the answer, a box withdraws its request and makes another whose hash begins with the
 * same few digits. It can search for one, because it knows all that is hashed. A full ID has too many digits for that.
 */
function refuseShort(prefix: string): void {
  if (prefix.length < idLength)
    throw new HoldfastError(
      'HF_USAGE',
      `expected all ${idLength} digits of the ID, because the question is not shown before this answer`,
      { remedy: 'copy the ID from `holdfast approvals list`, or run this at a terminal without the option' },
    );
}

/** The least length of `PendingApproval.id`. */
const idLength = 12;

/** Attack: a request whose hash begins like that of another. */
function theOnly(watch: ApprovalWatch, prefix: string): PendingApproval | undefined {
  const [first, ...others] = watch.pending().filter(({ hash }) => hash.startsWith(prefix));
  if (others.length > 0)
    throw new HoldfastError('HF_USAGE', `${others.length + 1} questions begin with ${prefix}`, {
      remedy: 'type more of the ID, as `holdfast approvals list` shows it',
    });
  return first;
}

function chosenDecision({ values }: CommandInput): Exclude<ApprovalDecision, 'deny'> | undefined {
  const chosen = (['once', 'session', 'always'] as const).filter((decision) => isSet(values[decision]));
  if (chosen.length > 1)
    throw new HoldfastError('HF_USAGE', `${chosen.map((name) => `--${name}`).join(' and ')} cannot be combined`, {
      remedy: 'use one of them',
    });
  return chosen[0];
}

function codeOf({ values }: CommandInput): string | undefined {
  const code = optionText(values['code'])?.replaceAll(' ', '');
  if (code === undefined || /^[0-9]{6}$/u.test(code)) return code;
  throw new HoldfastError('HF_USAGE', 'expected a code of six digits', { remedy: 'use --code 123456' });
}

/** A person at a terminal sees the question of an ID: a box may have printed the ID beside another text. */
async function decisionFor(
  approval: PendingApproval,
  decision: Exclude<ApprovalDecision, 'deny'> | undefined,
  code: string | undefined,
): Promise<GivenAnswer | undefined> {
  const given = (chosen: ApprovalDecision, own = code): GivenAnswer => ({
    hash: approval.hash,
    decision: chosen,
    ...(own === undefined ? {} : { code: own }),
  });
  if (decision === 'always' && isPerson()) return (await askSure(approval)) === 'sure' ? given(decision) : undefined;
  if (!isShownFirst(decision)) return given(decision ?? 'once');
  const answered = await askApproval(approval);
  return answered.kind === 'none' ? undefined : given(answered.decision, answered.code);
}

function isShownFirst(decision: ApprovalDecision | undefined): boolean {
  return decision === undefined && isPerson();
}

function isPerson(): boolean {
  return isatty(0) && isatty(1);
}

interface Answered {
  readonly approval: PendingApproval;
  readonly given: GivenAnswer;
  readonly result: AnswerResult;
}

function report(input: CommandInput, { approval, given: { decision }, result }: Answered): number {
  const { io } = input;
  const { hash, title, always } = approval;
  switch (result.kind) {
    case 'taken': {
      const added = decision === 'always' && always !== undefined ? always : undefined;
      printResult(
        input,
        { hash, title, decision, added: added ?? null },
        `${told[decision]}: ${title}\n${added === undefined ? '' : `added to ${added.file}:\n${added.text}\n`}${decision === 'deny' ? laterText(approval) : ''}`,
      );
      return 0;
    }
    case 'unknown':
      return tell(io, 'it no longer waits: it was answered, or has expired');
    case 'code-needed':
      return tell(io, 'its rule needs a code from your authenticator: add --code 123456');
    case 'code-wrong':
      return tell(io, 'the code is wrong, or was used before');
    case 'refused':
      return tell(io, result.message);
  }
}

const told: Readonly<Record<ApprovalDecision, string>> = {
  once: 'allowed once',
  session: 'allowed until the session ends',
  always: 'allowed from now on',
  deny: 'denied',
};

/** A denial is no dead end: the rule asks again, and a person may change it. */
function laterText({ remedy }: PendingApproval): string {
  return `to allow it later: ${remedy}\n`;
}

function tell(io: CommandIo, message: string): number {
  io.stderr.write(safeText(`holdfast: ${message}\n`));
  return 1;
}

/** Runs until Ctrl-C, or until nothing reads its output. */
export async function watchAll(input: ApprovalsInput, words: readonly string[]): Promise<number> {
  const { io } = input;
  refuseWords('watch', words);
  if (isatty(0) && isatty(1)) return answerEach(input);
  const watch = openedApprovals(input, (change) => io.stdout.write(jsonLine(change)));
  await watch.ready;
  await (watch.ended ?? new Promise<void>(() => undefined));
  return 0;
}

/** Asks one question after the other, oldest first. A question answered elsewhere makes room for the next. */
async function answerEach(input: ApprovalsInput): Promise<number> {
  const { io } = input;
  let wake = (): void => undefined;
  let shown: { readonly hash: string; readonly withdraw: () => void } | undefined;
  const watch = openedApprovals(input, (change) => {
    if (change.kind !== 'asked' && change.approval.hash === shown?.hash) {
      shown.withdraw();
      io.stdout.write(safeText(`${goneText(change)}\n`));
    }
    wake();
  });
  if (input.open !== undefined) await watch.ready;
  const over = watch.ended?.then(() => 'over' as const);
  io.stdout.write('waiting for questions; Ctrl-C ends this\n');
  for (;;) {
    const [next] = watch.pending();
    if (next === undefined) {
      const woken = new Promise<'woken'>((resolve) => (wake = () => resolve('woken')));
      if ((await (over === undefined ? woken : Promise.race([woken, over]))) === 'over') return 0;
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
  if (result.kind === 'taken' && decision === 'deny') io.stdout.write(safeText(laterText(approval)));
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
