import { constants } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { type Command, type CommandInput, isSet, printResult, optionText } from '../command.ts';
import { stopResident } from '../resident/find-resident.ts';
import { onlyName, serverOf } from './server-of.ts';

const usage = `usage: holdfast stop [--signal NAME] [--grace SECONDS] ID|SESSION [--json]
       holdfast stop --server [--json]
       holdfast stop --resident [--json]

Ends a command, a session with all of its commands, or the server with all of its sessions. A command gets SIGTERM, and when it has not ended 10
seconds later SIGKILL.

  --signal NAME       send this one instead, and wait for nothing
  --grace SECONDS     wait so long before SIGKILL
  --server            end the server
  --resident          end the resident supervisor with the last of its runs; the next run starts another
  --json              one JSON object that says what was ended`;

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
    await server.call(request).result;
    printResult(input, request.what.kind === 'server' ? { stopped: 'server' } : { stopped: request.what.name }, '');
    return 0;
  },
};

async function endResident(input: CommandInput): Promise<number> {
  if (input.positionals.length > 0 || Object.keys(input.values).some((name) => name !== 'resident' && name !== 'json'))
    throw new HoldfastError('HF_USAGE', '--resident goes alone', {
      remedy: 'leave out the name and the other options',
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

/** Whoever names something beside it means that, and not every session. */
function serverAlone({ positionals, values }: CommandInput) {
  if (positionals.length === 0 && values['signal'] === undefined && values['grace'] === undefined)
    return { kind: 'stop', what: { kind: 'server' } } as const;
  throw new HoldfastError('HF_USAGE', '--server ends all there is: no name, signal or time goes with it', {
    remedy: 'leave out --server, or all beside it',
  });
}

function signalOf(name: string): NodeJS.Signals {
  const known = [name, `SIG${name}`].find((candidate) => Object.hasOwn(constants.signals, candidate));
  if (known !== undefined) return known as NodeJS.Signals;
  throw new HoldfastError('HF_USAGE', `expected a signal after --signal, got ${JSON.stringify(name)}`, {
    remedy: 'as in --signal SIGINT',
  });
}

function millisecondsOf(seconds: string): number {
  if (/^\d{1,4}(\.\d{1,3})?$/u.test(seconds) && Number(seconds) <= 3600) return Number(seconds) * 1000;
  throw new HoldfastError('HF_USAGE', `expected seconds after --grace, got ${JSON.stringify(seconds)}`, {
    remedy: 'as in --grace 30; an hour at most',
  });
}
