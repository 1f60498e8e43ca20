import type { Command } from '../command.ts';
import { lookOn, ownSize } from './look-on.ts';
import { onlyName, serverOf } from './server-of.ts';

const usage = `usage: holdfast attach ID|SESSION

Shows what a command of the server printed last, then what it prints, and passes on what is typed. Ctrl-\\ Ctrl-\\ leaves it at a terminal, Ctrl-C
elsewhere; it goes on. Exits with its status when it ends. Of a session it is the newest command.`;

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
