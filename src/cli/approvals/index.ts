/**
 * `holdfast approvals`: lists and answers the pending approvals of all sessions of this user, over their sockets. The
 * sessions decide the effect of an answer.
 */
import { existsSync, rmSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { isatty } from 'node:tty';
import type { PendingApproval } from '../../approvals/index.ts';
import { newKey, otpauthUri, readTotpKey, totpPlaces, writeKey } from '../../approvals/totp/key-file.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { type Command, type CommandInput, isSet, jsonText, printResult, safeText } from '../command.ts';
import { namedAction, usageError } from '../usage-error.ts';
import { type Look, lookOf, signed } from '../terminal/look.ts';
import { listedName } from '../listing.ts';
import { allowApproval, type ApprovalsInput, denyApproval, openWatch, refuseWords, watchAll } from './answer.ts';
import { relayApprovals } from './relay.ts';

const usage = `usage: holdfast approvals watch
       holdfast approvals [list] [--json]
       holdfast approvals allow ID [--once | --session | --always] [--code 123456] [--json]
       holdfast approvals deny ID [--json]
       holdfast approvals relay
       holdfast approvals totp enrol [--sha256] | remove [--json]

watch: shows each question of every session as it arrives. At a terminal it takes your answer: press a key, then Enter.
       Elsewhere it prints each new and each settled question as a line of JSON.
list:  lists the waiting questions, oldest first.
allow: allows one request. At a terminal without an option, it shows the question and asks for how long.
       Elsewhere the default is --once.
deny:  denies one request. After repeated denials Holdfast stops asking about that request for a while.
relay: the far end of another machine's \`cluster approvals\`: questions and answers as lines of JSON.
totp:  enrols an authenticator app for rules that require a code. --sha256 is for apps that support it.

  --once      allow this exact request now
  --session   allow this exact request until its session ends
  --always    allow it from now on, with a rule in your policy
  --code      a code from your authenticator, for rules that require one

At a terminal and without an option, any unique prefix of an ID works. The command exits with 1 when no question has
that ID, or when the answer was not accepted.`;

export const approvalsCommand: Command = {
  name: 'approvals',
  usage,
  options: {
    json: { type: 'boolean' },
    once: { type: 'boolean' },
    session: { type: 'boolean' },
    always: { type: 'boolean' },
    code: { type: 'string' },
    sha256: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    return answerApprovals(input, input.positionals);
  },
};

/** Runs the action that the words name, on this machine's sessions or on another place's. */
export function answerApprovals(input: ApprovalsInput, [verb = '', ...words]: readonly string[]): Promise<number> {
  const action = namedAction('approvals', actions, verb);
  return action(input, words);
}

const actions: ReadonlyMap<string, (input: ApprovalsInput, words: readonly string[]) => Promise<number>> = new Map([
  ['watch', watchAll],
  ['list', listApprovals],
  ['allow', allowApproval],
  ['deny', denyApproval],
  ['relay', relayApprovals],
  ['totp', totp],
]);

async function listApprovals(input: ApprovalsInput, words: readonly string[]): Promise<number> {
  const { io, values } = input;
  refuseWords('list', words);
  const watch = input.open?.() ?? openWatch(io);
  try {
    await watch.ready;
    const pending = watch.pending();
    if (isSet(values['json'])) io.stdout.write(jsonText({ approvals: pending }));
    else if (pending.length === 0)
      io.stdout.write('No approvals are waiting. Watch for them: holdfast approvals watch\n');
    else for (const approval of pending) io.stdout.write(`${shown(approval, lookOf(io))}\n`);
  } finally {
    watch.close();
  }
  return 0;
}

/** A title is never cut: an answer is about all of it. */
function shown({ id, title, rule, workspace, expiresAt, confirmation }: PendingApproval, look: Look): string {
  const left = Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000));
  const code = confirmation === 'none' ? '' : ', needs a code';
  return `${signed(id, 'waiting', look)}  ${safeText(title)}\n    rule ${safeText(rule)}, in ${listedName(workspace)}, ${left} s left${code}`;
}

/** `holdfast approvals totp enrol | remove`: the authenticator for the codes of rules below `[approvals] totp`. */
async function totp(input: CommandInput, [verb, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0 || (verb !== 'enrol' && verb !== 'remove'))
    throw usageError('approvals', 'expected "totp enrol" or "totp remove"');
  const { key, spent } = totpPlaces(statePaths(homedir(), input.io.environment).state);
  return verb === 'enrol' ? enrol(input, key) : remove(input, [key, spent]);
}

/** The key is shown once, and only here. */
async function enrol(input: CommandInput, file: string): Promise<number> {
  const { io, values } = input;
  if (readTotpKey(file) !== undefined)
    throw new HoldfastError('HF_USAGE', 'an authenticator is already enrolled', {
      remedy: 'to enrol another one, run `holdfast approvals totp remove` first',
    });
  const key = newKey(isSet(values['sha256']) ? 'SHA-256' : 'SHA-1');
  const uri = otpauthUri(key, `${userInfo().username}@${hostname()}`);
  if (isatty(1) && !isSet(values['json'])) {
    const { renderUnicodeCompact } = await import('uqr');
    io.stdout.write(`${renderUnicodeCompact(uri)}\n`);
  }
  printResult(input, { uri }, `${uri}\n`);
  writeKey(file, key);
  io.stderr.write('holdfast: give this to your authenticator app, and to nobody else: it is not shown again\n');
  return 0;
}

function remove(input: CommandInput, places: readonly string[]): number {
  if (!places.some((place) => existsSync(place)))
    throw new HoldfastError('HF_USAGE', 'no authenticator is enrolled', {
      remedy: 'to enrol one, run `holdfast approvals totp enrol`',
    });
  for (const place of places) rmSync(place, { recursive: true, force: true });
  printResult(
    input,
    { removed: 'totp' },
    'removed the authenticator; until you enrol one, you can only deny requests that need a code\n',
  );
  return 0;
}
