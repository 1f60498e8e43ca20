import { postgresLimits, requests } from './types.ts';

/** First packet of a client. */
export type FirstPacket =
  | { readonly kind: 'tls' }
  | { readonly kind: 'gss' }
  | { readonly kind: 'cancel'; readonly processId: number; readonly key: Buffer }
  | Startup
  | { readonly kind: 'malformed'; readonly reason: string }
  /** An unsupported version. */
  | { readonly kind: 'unsupported'; readonly major: number; readonly minor: number };

export interface Startup {
  readonly kind: 'startup';
  readonly minor: number;
  /** In the order of the packet, without `_pq_.` options. `user` is present and not empty. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of the `_pq_.` options. Holdfast supports none of them. */
  readonly options: readonly string[];
}

/** More parameters than any client sends. */
const mostParameters = 64;

/**
 * Parses a first packet without its length, as strictly as the server. Each parameter comes once, a NUL follows each
 * text, and a final NUL ends the packet. Source: PostgreSQL 15 documentation, 55.7 (StartupMessage);
 * ProcessStartupPacket.
 */
export function parseFirstPacket(body: Buffer): FirstPacket {
  if (body.length < 4) return malformed('it is too short');
  const code = body.readUInt32BE(0);
  switch (code) {
    case requests.tls:
      return body.length === 4 ? { kind: 'tls' } : malformed('a request for TLS has the wrong length');
    case requests.gss:
      return body.length === 4 ? { kind: 'gss' } : malformed('a request for GSS encryption has the wrong length');
    case requests.cancel:
      return parseCancel(body);
    default:
      return code >>> 16 === 3 ? parseStartup(body) : { kind: 'unsupported', major: code >>> 16, minor: code & 0xffff };
  }
}

/** The key has 4 octets in version 3.0, up to 256 in 3.2. */
function parseCancel(body: Buffer): FirstPacket {
  const key = body.subarray(8);
  if (key.length < 4 || key.length > 256) return malformed('a cancel request needs a key of 4 to 256 octets');
  return { kind: 'cancel', processId: body.readInt32BE(4), key: Buffer.from(key) };
}

function parseStartup(body: Buffer): FirstPacket {
  if (body.length > postgresLimits.startup) return malformed('it is too long');
  const texts = textsOf(body.subarray(4));
  if (texts === undefined) return malformed('it does not end with the NUL that ends its list');
  if (texts.length % 2 === 1) return malformed('a parameter has no value');
  if (texts.length > mostParameters * 2) return malformed('it has too many parameters');
  const parameters = new Map<string, string>();
  const options: string[] = [];
  for (let index = 0; index < texts.length; index += 2) {
    const [name = '', value = ''] = texts.slice(index, index + 2);
    if (name.startsWith('_pq_.')) options.push(name);
    else if (parameters.has(name)) return malformed(`it sets ${name} twice`);
    else parameters.set(name, value);
  }
  if ((parameters.get('user') ?? '') === '') return malformed('it names no user');
  return { kind: 'startup', minor: body.readUInt16BE(2), parameters, options };
}

/**
 * Returns the texts up to the empty name that ends the list. Undefined if more bytes follow, or if a text is not UTF-8.
 */
function textsOf(bytes: Buffer): readonly string[] | undefined {
  const texts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    const isName = texts.length % 2 === 0;
    if (end === at && isName) return end === bytes.length - 1 ? texts : undefined;
    const value = bytes.toString('utf8', at, end);
    if (value.includes('\ufffd')) return undefined;
    texts.push(value);
    at = end + 1;
  }
  return undefined;
}

function malformed(reason: string): FirstPacket {
  return { kind: 'malformed', reason };
}
