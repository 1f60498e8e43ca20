import { createSocket } from 'node:dgram';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import process from 'node:process';
import { once } from 'node:events';
import { serveDns } from '../serve.ts';
import { contextWith } from './context.ts';

/**
 * Runs in a separate network namespace. It serves DNS on 127.0.0.1:53, runs a command, and prints its result and every
 * look-up as one JSON line.
 */
const [mode = 'nxdomain', command = 'true', ...args] = process.argv.slice(2);
const lookups: string[] = [];
const udp = createSocket('udp4').bind(53, '127.0.0.1');
await once(udp, 'listening');
const context = contextWith({ refusedNames: mode === 'explain' ? 'explain' : 'nxdomain' });
const service = serveDns({
  udp,
  context,
  record: ({ type, name, outcome }) => lookups.push(`${type} ${name} ${outcome}`),
});
const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => service.accept(socket)).listen(
  53,
  '127.0.0.1',
);
await once(listener, 'listening');

const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
let output = '';
child.stdout.on('data', (chunk) => (output += String(chunk)));
child.stderr.on('data', (chunk) => (output += String(chunk)));
const [status] = (await once(child, 'close')) as [number | null];
process.stdout.write(`${JSON.stringify({ status, output, lookups })}\n`, () => process.exit());
