import { constants } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { type Command, type CommandInput, isSet, printResult, optionText } from '../command.ts';
import { stopResident } from '../resident/find-resident.ts';
import { onlyName, serverOf } from './server-of.ts';

const usage = `usage: holdfast stop [--signal NAME] [--grace SECONDS] ID|SESSION [--json]
       holdfast stop --server [--json]
       holdfast stop --resident [--json]

Stops a command, a session with all its commands, or the server with all its sessions. A command gets SIGTERM, and
SIGKILL if it is still running 10 seconds later.

  --signal NAME       send this signal instead, and do not wait; a session gets it for each of its commands, and
                      stays open
  --grace SECONDS     wait this long before SIGKILL
  --server            stop the server
  --resident          stop the resident supervisor after its last run; the next run starts a new one
  --json              print the result as one JSON object`;

export const stopCommand: Command = {
  name: 'stop',
  usage,
  options: {
    signal: { type: 'string' },
    grace: { type: 'string' },
    server: { type: 'boolean' },
    resident: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  async run(input) {
    if (isSet(input.values['resident'])) return endResident(input);
    const request = requestOf(input);
    const server = await serverOf(input);
    const { stopped } = await server.call(request).result;
    const name = request.what.kind === 'server' ? 'server' : request.what.name;
    printResult(input, stopped === 'nothing' ? { signalled: name } : { stopped: name }, '');
    return 0;
  },
};

async function endResident(input: CommandInput): Promise<number> {
  if (input.positionals.length > 0 || Object.keys(input.values).some((name) => name !== 'resident' && name !== 'json'))
    throw new HoldfastError('HF_USAGE', '--resident cannot be combined with a name or another option', {
      remedy: 'use --resident alone',
    });
  await stopResident(input.io);
  printResult(input, { stopped: 'resident' }, '');
  return 0;
}

function requestOf(input: CommandInput) {
  const { values } = input;
  if (isSet(values['server'])) return serverAlone(input);
  const [signal, grace] = [optionText(values['signal']), optionText(values['grace'])];
  const what = { kind: 'named', name: onlyName(input, 'stop') } as const;
  return {
    kind: 'stop',
    what,
    ...(signal === undefined ? {} : { signal: signalOf(signal) }),
    ...(grace === undefined ? {} : { graceMs: millisecondsOf(grace) }),
  } as const;
}

/** A named target means that session or command, not every session. */
function serverAlone({ positionals, values }: CommandInput) {
  if (positionals.length === 0 && values['signal'] === undefined && values['grace'] === undefined)
    return { kind: 'stop', what: { kind: 'server' } } as const;
  throw new HoldfastError('HF_USAGE', '--server stops every session, so it takes no name, --signal or --grace', {
    remedy: 'leave out --server, or leave out the rest',
  });
}

function signalOf(name: string): NodeJS.Signals {
  const known = [name, `SIG${name}`].find((candidate) => Object.hasOwn(constants.signals, candidate));
  if (known !== undefined) return known as NodeJS.Signals;
  throw new HoldfastError('HF_USAGE', `expected a signal after --signal, got ${JSON.stringify(name)}`, {
    remedy: 'use --signal SIGINT',
  });
}

function millisecondsOf(seconds: string): number {
  if (/^\d{1,4}(\.\d{1,3})?$/u.test(seconds) && Number(seconds) <= 3600) return Number(seconds) * 1000;
  throw new HoldfastError('HF_USAGE', `expected a number of seconds after --grace, got ${JSON.stringify(seconds)}`, {
    remedy: 'use --grace 30, up to 3600',
  });
}
