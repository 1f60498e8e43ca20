import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { type Command, type CommandInput, isSet, safeText } from '../command.ts';
import { runtimeOf } from './server-of.ts';

const usage = `usage: holdfast serve [--detach [--json]]

Keeps sandboxes for clients that come and go: \`holdfast exec\`, \`ps\`, \`attach\`, \`logs\`, \`stop\`, editors and agents.
Each user has one server, on a socket in $XDG_RUNTIME_DIR/holdfast. No box sees the socket, and the server accepts no
other user. When the server ends, all its boxes end.

  --detach            run in the background, and print the process ID
  --json              with --detach: print the process ID as a JSON object
  --resident          run as the supervisor behind \`holdfast run\`; the first run starts it automatically
  --idle SECONDS      with --resident: exit after this time without a run (default: 900)
  --of NAME           with --resident: exit at once unless the installed files still have this socket name`;

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
    throw new HoldfastError('HF_USAGE', '--json needs --detach', { remedy: 'leave it out, or add --detach' });
  const { startServer } = await import('../../serve/server/start-server.ts');
  const server = await startServer({ runtime: runtimeOf(io) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void server.end());
  io.stderr.write(safeText(`holdfast: listening at ${server.socket}\n`));
  await server.ended;
  return 0;
}
