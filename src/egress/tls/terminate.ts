import type { Alpn } from '../http/message.ts';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { meansHost } from '../loopback-names.ts';
import type { EgressRefusal, Refused } from '../types.ts';
import type { ClientHello } from './client-hello.ts';
import { deadlineOf, DeadlinePassed } from './deadline.ts';
import { type NoClientHello, readClientHello } from './read-client-hello.ts';

export interface TerminateOptions {
  /** The decided host: a normalised name or address. */
  readonly host: string;
  /**
   * Protocols for the client, best first. A client that offers none of them gets an alert. A client without ALPN speaks
   * HTTP/1.1.
   */
  readonly alpn: readonly Alpn[];
  readonly contextFor: (host: string) => SecureContext;
  /**
   * `always` also accepts clients that name no host, for protocols whose clients may not send SNI (Postgres, Redis).
   * Default: `sometimes`.
   */
  readonly unnamed?: Unnamed;
  /** Milliseconds for hello and handshake together. Default: 10,000. */
  readonly deadline?: number;
}

export interface Terminated {
  readonly kind: 'secured';
  /** Its errors are caught, and an error ends it. */
  readonly socket: TLSSocket;
  readonly alpn: Alpn;
  /** The client's name for the host. Absent if it named none. */
  readonly serverName?: string;
}

/**
 * Terminates TLS on an accepted connection, only in the name of `host`. Also reads bytes that were put back with
 * `unshift`. A refusal ends the connection, with an alert if TLS has one for the reason.
 */
export async function terminateTls(socket: Duplex, options: TerminateOptions): Promise<Terminated | Refused> {
  const deadline = deadlineOf(options.deadline ?? 10_000);
  // A connection may break at any time, even after its caller has lost interest in it.
  socket.on('error', ignore);
  try {
    const read = await readClientHello(socket, deadline.signal);
    if (read.kind !== 'hello')
      return refuse(socket, clientRefusal(options.host, read), read.kind === 'malformed' ? 'decodeError' : undefined);
    const named = nameRefusal(options.host, read.hello, options.unnamed ?? 'sometimes');
    if (named !== undefined)
      return refuse(socket, named, read.hello.serverName === undefined ? 'missingExtension' : 'unrecognizedName');
    return await handshake({ socket, options, hello: read.hello, signal: deadline.signal });
  } catch (error) {
    return refuse(socket, handshakeRefusal(options.host, error), 'internalError');
  } finally {
    deadline.clear();
  }
}

interface Handshake {
  readonly socket: Duplex;
  readonly options: TerminateOptions;
  readonly hello: ClientHello;
  readonly signal: AbortSignal;
}

function handshake({ socket, options, hello, signal }: Handshake): Promise<Terminated | Refused> {
  const secureContext = options.contextFor(hello.serverName ?? options.host);
  const protocols = options.alpn.length === 0 ? {} : { ALPNProtocols: [...options.alpn] };
  // The type requires a Socket, but the documentation and the code accept any Duplex.
  const secure = new TLSSocket(socket as Socket, { isServer: true, secureContext, ...protocols });
  // After the handshake, a record that does not decrypt is reported only here. It would leave the connection open.
  secure.on('_tlsError', (error: Error) => secure.destroy(error));
  return new Promise((resolve) => {
    let problem: unknown;
    const onError = (error: unknown): void => {
      problem ??= error;
    };
    const onEnd = (): void => {
      settle({ kind: 'refused', refusal: handshakeRefusal(options.host, problem) });
      secure.destroy();
      socket.destroy();
    };
    const onDeadline = (): void => {
      onError(signal.reason);
      onEnd();
    };
    const onSecure = (): void =>
      settle({
        kind: 'secured',
        socket: secure,
        alpn: negotiated(secure),
        ...(hello.serverName !== undefined && { serverName: hello.serverName }),
      });
    const settle = (outcome: Terminated | Refused): void => {
      secure.off('secure', onSecure).off('close', onEnd);
      socket.off('error', onError);
      signal.removeEventListener('abort', onDeadline);
      resolve(outcome);
    };
    secure.on('error', onError).on('close', onEnd).on('secure', onSecure);
    socket.on('error', onError);
    signal.addEventListener('abort', onDeadline);
  });
}

function negotiated(secure: TLSSocket): Alpn {
  return secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
}

/** Milliseconds for the seven bytes of an alert to leave. */
const longestFarewell = 1000;

/** Sends the alert as the last bytes. Later bytes of the client are dropped. */
function refuse(socket: Duplex, refusal: Refused['refusal'], alert: AlertName | undefined): Refused {
  if (alert === undefined || !socket.writable) {
    socket.destroy();
  } else {
    const farewell = setTimeout(() => socket.destroy(), longestFarewell);
    socket.once('close', () => clearTimeout(farewell)).end(alertRecord(alert), () => socket.destroy());
  }
  return { kind: 'refused', refusal };
}

function ignore(): void {
  // The connection ends because of its error. Code that waits for the end listens to 'close'.
}

/** Returns the reason that the bytes of a client are not a hello. */
export function clientRefusal(host: string, problem: NoClientHello): EgressRefusal {
  switch (problem.kind) {
    case 'not-tls':
      return clientTls(
        `the client does not speak TLS to ${host}`,
        'use https, or the port of the protocol that the client speaks',
      );
    case 'malformed':
      return clientTls(
        `the client's TLS hello to ${host} is malformed: ${problem.reason}`,
        'update the client, or its TLS library',
      );
    case 'ended':
      return clientTls(
        `the client ended the connection to ${host} before its TLS hello was complete`,
        'run the client again, and check why it gives up',
      );
    case 'too-slow':
      return tooSlow(host);
  }
}

/**
 * Whether a client that names no host may mean the decided host. `sometimes`: only for hosts that hellos cannot name,
 * or usually do not name.
 */
type Unnamed = 'sometimes' | 'always';

/** Refuses a client that connects to one host and asks for another. Undefined if it may mean the decided host. */
export function nameRefusal(host: string, hello: ClientHello, unnamed: Unnamed): EgressRefusal | undefined {
  const { serverName } = hello;
  if (serverName !== undefined && meansHost(serverName, host)) return undefined;
  if (serverName === undefined && (unnamed === 'always' || isSeldomNamed(host))) return undefined;
  const cover = hello.encryptedHello === 'present' ? '; its encrypted hello cannot be read here' : '';
  const named = serverName === undefined ? 'names no host' : `names ${serverName}`;
  return {
    code: 'authority-mismatch',
    message: `the TLS hello on a connection to ${host} ${named}${cover}`,
    remedy: 'connect to the host by its own name, and let the client send it (SNI)',
  };
}

/**
 * RFC 6066 §3 has no addresses in hellos. Java and `openssl s_client` do not name a host without a dot either
 * (`localhost`). Java names none with an underscore (`SNIHostName`, `Utilities.rawToSNIHostName` of OpenJDK).
 */
function isSeldomNamed(host: string): boolean {
  return normaliseHost(host)?.address !== undefined || !host.includes('.') || host.includes('_');
}

/** Returns the reason that a handshake failed. */
export function handshakeRefusal(host: string, problem: unknown): EgressRefusal {
  if (problem instanceof DeadlinePassed) return tooSlow(host);
  const code = codeOf(problem);
  if (distrust.has(code)) {
    return clientTls(
      `the client does not trust the session's certificate authority for ${host}`,
      `let the client use the system's certificates; for one that pins its own, ${passThrough(host)}`,
    );
  }
  const known = problems.get(code);
  if (known !== undefined)
    return clientTls(
      `the client and Holdfast do not agree on TLS parameters for ${host}: ${known}`,
      `update the client, or ${passThrough(host)}`,
    );
  return clientTls(
    `the client broke off the TLS handshake to ${host}${/^[A-Z0-9_]+$/u.test(code) ? ` (${code})` : ''}`,
    `read the client's error; if it pins a certificate, ${passThrough(host)}`,
  );
}

/** Alerts of clients that rejected our certificate. */
const distrust: ReadonlySet<string> = new Set([
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSL/TLS_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
]);

const problems: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'it speaks TLS 1.1 or older'],
  ['ERR_SSL_VERSION_TOO_LOW', 'it speaks TLS 1.1 or older'],
  ['ERR_SSL_NO_SHARED_CIPHER', 'it offers no cipher suite that is safe'],
  ['ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM', 'it cannot check ECDSA certificates'],
  ['ERR_SSL_NO_APPLICATION_PROTOCOL', 'it speaks neither HTTP/1.1 nor HTTP/2'],
]);

function tooSlow(host: string): EgressRefusal {
  return clientTls(
    `the client did not finish its TLS handshake with ${host} in time`,
    'run the client again; a handshake takes milliseconds',
  );
}

/** The remedy for programs that trust only their own authorities. */
function passThrough(host: string): string {
  return `list ${host} under passthrough of [network]`;
}

function clientTls(message: string, remedy: string): EgressRefusal {
  return { code: 'client-tls', message, remedy };
}

function codeOf(problem: unknown): string {
  return typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';
}

/** Alerts of RFC 8446 §6 that Holdfast sends itself, before any key exists. */
const alerts = {
  accessDenied: 49,
  decodeError: 50,
  internalError: 80,
  missingExtension: 109,
  unrecognizedName: 112,
} as const;

type AlertName = keyof typeof alerts;

const alertRecordType = 21;
const fatal = 2;

/** Returns a fatal alert, as the only record that the client gets. */
export function alertRecord(name: AlertName): Uint8Array {
  return Uint8Array.of(alertRecordType, 3, 3, 0, 2, fatal, alerts[name]);
}
