import type { Command } from '../command.ts';
import { lookOn, ownSize } from './look-on.ts';
import { onlyName, serverOf } from './server-of.ts';

const usage = `usage: holdfast attach ID|SESSION

Shows the latest output of a command on the server, follows it, and passes on your input. For a session, it takes the
newest command. Ctrl-\\ Ctrl-\\ detaches at a terminal, Ctrl-C elsewhere; the command continues. Exits with the status
of the command when it ends.`;

export const attachCommand: Command = {
  name: 'attach',
  usage,
  options: {},
  positionals: 'any',
  async run(input) {
    const target = onlyName(input, 'attach');
    const server = await serverOf(input);
    const size = ownSize();
    const { commands } = await server.call({ kind: 'ps' }).result;
    const { streams } = commands.findLast(({ id, session }) => id === target || session === target) ?? {
      streams: 'pipes',
    };
    const call = server.call({ kind: 'attach', target, ...(size === undefined ? {} : { terminal: size }) });
    return lookOn(call, { at: streams === 'terminal' ? 'terminal' : 'streams', role: 'visitor' }, input.io);
  },
};
