import type { Part } from '../network/part.ts';
import { compilePrograms } from '../network/programs.ts';
import { startServer } from '../network/server.ts';
import { key } from './box.ts';
import type { CredentialBench } from './bench.ts';
import { measureRequests, openClients, type Requests } from './measure-requests.ts';

/**
 * The same requests with the key: sent by the client through plain interception, and inserted for a phantom, with
 * masked answers.
 */
export async function requests(bench: CredentialBench): Promise<readonly Part[]> {
  const { scratch, sizes } = bench;
  const programs = await compilePrograms(scratch.workspace);
  const server = await startServer({
    program: programs.serve,
    directory: scratch.beside,
    host: 'localhost',
    token: key.value,
  });
  const clients = openClients(bench, {
    words: [programs.client],
    server: { port: server.secure, authority: server.authority },
  });
  const all: readonly Requests[] = [
    {
      title: 'small request on a connection that stays open, HTTP/1.1 over TLS',
      verb: 'ask',
      claim: 'request',
      sizes: sizes.requests,
      figures: 'first',
    },
    {
      title: 'new connection and small request over TLS',
      verb: 'secure',
      claim: 'new connection',
      sizes: sizes.connections,
      figures: 'first',
    },
    {
      title: 'event stream over TLS, from the request to the first event',
      verb: 'events',
      claim: 'first event',
      sizes: sizes.streams,
      figures: 'first',
    },
    {
      title: 'event stream over TLS, from the sending of a later event to its arrival',
      verb: 'events',
      claim: 'later event',
      sizes: sizes.streams,
      figures: 'later',
    },
  ];
  const parts: Part[] = [];
  for (const each of all) parts.push(await measureRequests(each, clients));
  await clients.close();
  server.close();
  return parts;
}
