/**
 * `internet.ts DIRECTORY`: servers that answer at every address. `heard` records the received bytes. Prints `serving`.
 * Ports: 80 and 8080 HTTP; 443, 8443 and 853 TLS with HTTP/1.1 or HTTP/2 inside; 53 DNS; the others greet with their
 * address.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { serveHttp } from './http.ts';
import { createLog } from './log.ts';
import { serveNames, type Zone } from './name-server.ts';
import type { SecureServer } from './secure.ts';

const directory = process.argv[2] ?? '.';
const { canary, records, tls } = JSON.parse(readFileSync(join(directory, 'world.json'), 'utf8')) as {
  readonly canary: string;
  readonly records: Zone;
  readonly tls: 'at once' | 'on demand';
};
const log = createLog(join(directory, 'heard'));
const http = { canary, log };

let loading: Promise<SecureServer> | undefined;
if (tls === 'at once') writeFileSync(join(directory, 'ca.pem'), (await secure()).authorityPem);

const listening: Promise<void>[] = [serveNames({ port: 53, records, canary, log })];
for (const port of [80, 8080])
  listening.push(
    listen(
      port,
      createServer({ noDelay: true }, (socket) => serveHttp(socket, http)),
    ),
  );
for (const port of [443, 853, 8443])
  listening.push(
    listen(
      port,
      createServer({ noDelay: true }, (socket) => void secure().then((server) => server.serve(socket))),
    ),
  );
for (const port of [22, 25, 4444, 5432])
  listening.push(
    listen(
      port,
      createServer({ noDelay: true }, (socket) => serveSink(socket, port)),
    ),
  );
await Promise.all(listening);
console.log('serving');
// A signal ends it, and would discard the compiled code for the next one.
flushCompileCache();

/** It takes longer to load than all the rest. */
function secure(): Promise<SecureServer> {
  return (loading ??= import('./secure.ts').then(({ createSecureServer }) => createSecureServer(http)));
}

function listen(port: number, server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve, reject) => void server.once('error', reject).listen({ port, host: '::' }, resolve));
}

function serveSink(socket: Parameters<typeof serveHttp>[0], port: number): void {
  const address = socket.localAddress ?? '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => log(`tcp ${address}:${port} ${bytes.toString('latin1')}`));
  socket.write(`from ${address}: ${canary}\n`);
}
