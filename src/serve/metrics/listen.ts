import { createHash, timingSafeEqual, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { whyNoPort } from '../../errors/why-no-port.ts';
import { metricsType } from '../../metrics/sample.ts';

export interface MetricsAddress {
  /** An address or a name of this machine. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

export interface ListenOptions extends MetricsAddress {
  readonly token: string;
  readonly collect: () => Promise<string>;
}

export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/** Few, because a scraper needs one. Connections of the server's own socket do not count. */
const mostConnections = 16;
/** Any user of the machine can connect. A client that sends no request within seconds is disconnected. */
const limits = {
  maxHeaderSize: 8192,
  headersTimeout: 2000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
} as const;

/** Answers `GET /metrics` for clients with the token. Throws `HF_USAGE` for an address that cannot be used. */
export async function listenForScrapes({ host, port, token, collect }: ListenOptions): Promise<MetricsListener> {
  const admits = admission(token);
  const server = createServer(limits, (request, response) => void answer(request, response, { admits, collect }));
  server.maxConnections = mostConnections;
  await listen(server, host, port);
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const noToken =
  'no valid token: send `Authorization: Bearer TOKEN`. TOKEN is the content of --metrics-token FILE, or of metrics-token in the state directory of Holdfast';

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw new HoldfastError('HF_USAGE', `the metrics cannot listen at ${host}:${port}: ${whyNoPort(error)}`, {
      remedy: `name another port, as in --metrics ${port === 9464 ? 9465 : 9464}; --metrics 0 takes a free one`,
      cause: error,
    });
  }
}

/** Digests have equal lengths, so that comparing them takes constant time. */
function admission(token: string): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return (header = '') => timingSafeEqual(digest(header.replace(/^bearer +/iu, 'Bearer ')), expected);
}

interface Answering {
  readonly admits: (header: string | undefined) => boolean;
  readonly collect: () => Promise<string>;
}

/** A client without the token learns nothing, not even which paths exist. */
async function answer(
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  { admits, collect }: Answering,
): Promise<void> {
  const end = (status: number, body: string, type = 'text/plain; charset=utf-8'): void => {
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // A client without the token cannot keep its connection.
      ...(status === 401 ? { 'www-authenticate': 'Bearer', connection: 'close' } : {}),
      ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
  if (!admits(headers.authorization)) return end(401, `${noToken}\n`);
  if (url?.split('?')[0] !== '/metrics') return end(404, 'there is only /metrics\n');
  if (method !== 'GET' && method !== 'HEAD') return end(405, 'use GET\n');
  try {
    end(200, await collect(), metricsType);
  } catch (error) {
    // Without the journal, the figures would suggest that nothing happened.
    end(503, `${isHoldfastError(error) ? `${error.message}; ${error.remedy} [${error.code}]` : String(error)}\n`);
  }
}

/** The token format of RFC 6750, too long to guess. */
const tokenPattern = /^[\w.~+/-]{32,1024}=*$/u;

/** Reads the token that a scraper must send. Throws `HF_USAGE` for a file without one. */
export function readToken(file: string): string {
  const text = readText(file).trim();
  if (tokenPattern.test(text)) return text;
  throw new HoldfastError('HF_USAGE', `${file} holds no token of 32 or more letters and digits`, {
    remedy: `write one, as with \`openssl rand -hex 32 > ${file}\``,
  });
}

/** Creates a token of 256 bits, unless the file exists. Mode 0600. */
export function ownToken(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(file, error);
  }
  return readToken(file);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `the token of the metrics, ${file}, cannot be used: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`,
    { remedy: 'name a file that you can read with --metrics-token', cause },
  );
}
