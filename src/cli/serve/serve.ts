import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { type Command, type CommandInput, isSet, safeText } from '../command.ts';
import { runtimeOf } from './server-of.ts';

const usage = `usage: holdfast serve [--detach [--json]]

Holds sandboxes for programs that come and go: \`holdfast exec\`, \`ps\`, \`attach\`, \`logs\`, \`stop\`, editors and agents. One server for each user, at a
socket in $XDG_RUNTIME_DIR/holdfast that no box sees and no other user is heard at. When it ends, so does every box of it.

  --detach            go on in the background, and print the process's number
  --json              with --detach: that as a JSON object
  --resident          be the supervisor that \`holdfast run\` asks for its boxes; the first run starts it by itself
  --idle SECONDS      with --resident: end after so long without a run (default: 900)
  --of NAME           with --resident: end at once unless the installed files still have this socket name`;

export const serveCommand: Command = {
  name: 'serve',
  usage,
  options: {
    detach: { type: 'boolean' },
    json: { type: 'boolean' },
    resident: { type: 'boolean' },
    idle: { type: 'string' },
    of: { type: 'string' },
  },
  positionals: 'none',
  run: async (input) => {
    if (isSet(input.values['resident']))
      return (await import('../resident/serve-resident.ts')).serveResident(runtimeOf(input.io), input);
    return isSet(input.values['detach'])
      ? (await import('./start-detached.ts')).startDetached(runtimeOf(input.io), input)
      : serveHere(input);
  },
};

async function serveHere({ values, io }: CommandInput): Promise<number> {
  if (isSet(values['json']))
    throw new HoldfastError('HF_USAGE', '--json goes with --detach', { remedy: 'leave it out, or add --detach' });
  const { startServer } = await import('../../serve/server/start-server.ts');
  const server = await startServer({ runtime: runtimeOf(io) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void server.end());
  io.stderr.write(safeText(`holdfast: listening at ${server.socket}\n`));
  await server.ended;
  return 0;
}
