import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { type Command, type CommandInput, isSet, safeText } from '../command.ts';
import { metricsOptions, type MetricsWish, metricsWish } from './metrics-options.ts';
import { runtimeOf } from './server-of.ts';

const usage = `usage: holdfast serve [--metrics [HOST:]PORT] [--detach [--json]]

Keeps sandboxes for clients that come and go: \`holdfast exec\`, \`ps\`, \`attach\`, \`logs\`, \`stop\`, editors and agents.
Each user has one server, on a socket in $XDG_RUNTIME_DIR/holdfast. No box sees the socket, and the server accepts no
other user. When the server ends, all its boxes end.

  --detach            run in the background, and print the process ID
  --json              with --detach: print the process ID as a JSON object
  --metrics [HOST:]PORT
                      serve figures for Prometheus at http://HOST:PORT/metrics (default of HOST: 127.0.0.1)
  --metrics-token FILE
                      the token that a scraper shows (default: metrics-token in the state directory, made if absent)
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
    metrics: { type: 'string' },
    'metrics-token': { type: 'string' },
  },
  positionals: 'none',
  run: async (input) => {
    const metrics = metricsWish(input);
    if (isSet(input.values['resident']) && metrics === undefined)
      return (await import('../resident/serve-resident.ts')).serveResident(runtimeOf(input.io), input);
    if (isSet(input.values['resident']))
      throw new HoldfastError('HF_USAGE', '--resident has no metrics of its own', {
        remedy: 'use `holdfast serve --metrics`, which also counts runs of the supervisor',
      });
    return isSet(input.values['detach'])
      ? (await import('./start-detached.ts')).startDetached(runtimeOf(input.io), input, metrics)
      : serveHere(input, metrics);
  },
};

async function serveHere({ values, io }: CommandInput, metrics: MetricsWish | undefined): Promise<number> {
  if (isSet(values['json']))
    throw new HoldfastError('HF_USAGE', '--json needs --detach', { remedy: 'leave it out, or add --detach' });
  const { startServer } = await import('../../serve/server/start-server.ts');
  const server = await startServer({
    runtime: runtimeOf(io),
    ...(metrics === undefined ? {} : { metrics: metricsOptions(metrics, io) }),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void server.end());
  io.stderr.write(safeText(`holdfast: listening at ${server.socket}\n`));
  if (server.metrics !== undefined && metrics !== undefined)
    io.stderr.write(safeText(`holdfast: metrics at ${server.metrics}, with the token in ${metrics.token.file}\n`));
  await server.ended;
  return 0;
}
