/** `holdfast approvals`: what waits in every session of this user, and answering it. The sessions are asked over their sockets; what an answer does, they decide. */
import { HoldfastError } from '../../errors/index.ts';
import type { Command, CommandInput } from '../command.ts';
import { allowApproval, denyApproval } from './answer.ts';
import { listApprovals } from './list.ts';
import { totp } from './totp.ts';
import { watchAll } from './watch.ts';

const usage = `usage: holdfast approvals watch
       holdfast approvals list [--json]
       holdfast approvals allow ID [--once | --session | --always] [--code 123456] [--json]
       holdfast approvals deny ID [--json]
       holdfast approvals totp enrol [--sha256] | remove [--json]

watch: at a terminal, shows each question of every session as it comes, and takes the answer: a key, then Enter. Elsewhere it
       prints what comes and what goes, as a line of JSON each.
list:  what waits now, oldest first.
allow: at a terminal, shows the question first and asks how, unless an option says so; elsewhere --once is the default.
deny:  says no. What is denied again and again is not asked any more for a while.
totp:  enrols an authenticator app, for rules that want a code; --sha256 for those that know it.

  --once      exactly this request, now
  --session   exactly this request, until its session ends
  --always    and from now on, by a rule in your policy
  --code      of your authenticator, for rules that want one

At a terminal and without an option, an ID may be shortened while it is the only one that begins so. Exits with 1 when nothing waits under it, or the answer was not taken.`;

export const approvalsCommand: Command = {
  name: 'approvals',
  summary: 'show what waits for your yes, and answer it',
  usage,
  options: { json: { type: 'boolean' }, once: { type: 'boolean' }, session: { type: 'boolean' }, always: { type: 'boolean' }, code: { type: 'string' }, sha256: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    const [verb = '', ...words] = input.positionals;
    const action = actions.get(verb);
    if (action === undefined) throw new HoldfastError('HF_USAGE', `expected ${[...actions.keys()].join(', ')}, got ${JSON.stringify(verb)}`, { remedy: 'see `holdfast approvals --help`' });
    return action(input, words);
  },
};

const actions: ReadonlyMap<string, (input: CommandInput, words: readonly string[]) => Promise<number>> = new Map([
  ['watch', watchAll],
  ['list', listApprovals],
  ['allow', allowApproval],
  ['deny', denyApproval],
  ['totp', totp],
]);
