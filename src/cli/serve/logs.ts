import process from 'node:process';
import { isSet, type Command } from '../command.ts';
import { endAtOnce } from '../main.ts';
import { tellMissing } from './look-on.ts';
import { onlyName, serverOf } from './server-of.ts';

const usage = `usage: holdfast logs [--follow] ID|SESSION

Prints the output of a command on the server: the last MiB of it. For a session, it takes the newest command.

  -f, --follow        follow the output until the command ends`;

export const logsCommand: Command = {
  name: 'logs',
  usage,
  options: { follow: { type: 'boolean', short: 'f' } },
  positionals: 'any',
  async run(input) {
    const target = onlyName(input, 'logs');
    const server = await serverOf(input);
    const call = server.call({ kind: 'logs', target, follow: isSet(input.values['follow']) ? 'yes' : 'no' });
    call.onNote((note) => tellMissing(note, input.io));
    for (const stream of [process.stdout, process.stderr]) stream.on('error', endAtOnce);
    for await (const { stream, data } of call.output())
      await new Promise((resolve) => (stream === 'stdout' ? process.stdout : process.stderr).write(data, resolve));
    await call.result;
    return 0;
  },
};
