import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '../ssrf/index.ts';
import type { Refused } from '../types.ts';
import { readBody } from './body/read-body.ts';
import type { Hop, HopAnswer, HopOptions } from './hop.ts';
import { isRedirect } from './redirect.ts';

const agent = 'holdfast-fetch';
const accepted = 'gzip, deflate, br';

/** One HTTP/1.1 request over a connection that is closed afterwards, whatever comes. */
export async function exchange(hop: Hop, socket: Socket, { maxBytes, signal }: Pick<HopOptions, 'maxBytes' | 'signal'>): Promise<HopAnswer | Refused> {
  const leave = (): void => void socket.destroy();
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    const response = await responseTo(hop, socket);
    return await answerOf(hop, response, maxBytes);
  } catch (error) {
    return broken(hop, error);
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

function responseTo({ decided, method, headers, body }: Hop, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { url } = decided;
    const sent = { host: url.host, 'user-agent': agent, accept: '*/*', ...headers, 'accept-encoding': accepted, connection: 'close', ...lengthOf(method, body) };
    const outgoing: ClientRequest = request({ createConnection: () => socket, method, path: url.pathname + url.search, headers: sent, setHost: false, insecureHTTPParser: false });
    // Stays: an answer that breaks later is told to its reader, and once more here.
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    // Protocols that nobody asked for.
    outgoing.once('upgrade', () => reject(new Error('it switched to another protocol')));
    outgoing.once('socket', () => socket.resume());
    outgoing.end(body);
  });
}

function lengthOf(method: string, body: Buffer | undefined): { 'content-length'?: number } {
  if (body !== undefined) return { 'content-length': body.length };
  return ['POST', 'PUT', 'PATCH'].includes(method) ? { 'content-length': 0 } : {};
}

async function answerOf(hop: Hop, response: IncomingMessage, maxBytes: number): Promise<HopAnswer | Refused> {
  const { statusCode: status = 0, headers } = response;
  const head = { kind: 'answer', status, contentType: headers['content-type'] ?? '', ...(headers.location === undefined ? {} : { location: asUtf8(headers.location) }) } as const;
  // What a redirect says besides its location, nobody reads.
  if (hop.method === 'HEAD' || isRedirect(head)) return { ...head, bytes: Buffer.alloc(0), truncated: false };
  const read = await readBody(response, headers['content-encoding'] ?? '', maxBytes);
  if (read.kind === 'unknown coding') return refuse('upstream-protocol', `${hop.decided.url.href} is encoded as "${read.coding}", which was not asked for`, { remedy: 'nothing here can read it' });
  return { ...head, bytes: read.bytes, truncated: read.truncated };
}

/** Node gives headers as Latin-1; servers send UTF-8. */
function asUtf8(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}

function broken({ decided }: Hop, error: unknown): Refused {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  return refuse('upstream-protocol', `${decided.destination.host} did not answer as HTTP/1.1 asks: ${message}${code === undefined ? '' : ` (${code})`}`, { remedy: 'see whether the server is well, and a web server listens on this port' });
}
