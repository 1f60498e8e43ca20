import type { EgressRefusal } from '../types.ts';
import { normaliseHost } from '../../policy/index.ts';
import { meansHost } from '../loopback-names.ts';
import type { ClientHello } from './client-hello.ts';
import { DeadlinePassed } from './deadline.ts';
import type { NoClientHello } from './read-client-hello.ts';

/** Why the bytes of a client are no hello. */
export function clientRefusal(host: string, problem: NoClientHello): EgressRefusal {
  switch (problem.kind) {
    case 'not-tls':
      return clientTls(`the client speaks something else than TLS to ${host}`, 'use https, or the port of the protocol that the client speaks');
    case 'malformed':
      return clientTls(`the client's TLS hello to ${host} is malformed: ${problem.reason}`, 'update the client, or its TLS library');
    case 'ended':
      return clientTls(`the client ended the connection to ${host} before its TLS hello was complete`, 'run the client again, and see why it gives up');
    case 'too-slow':
      return tooSlow(host);
  }
}

/** Whether a client that names no host may mean the one that was decided: `sometimes` for hosts that hellos cannot or by custom do not name. */
export type Unnamed = 'sometimes' | 'always';

/** What keeps a client that knocks at one host from talking to another; undefined when it may mean the host that was decided. */
export function nameRefusal(host: string, hello: ClientHello, unnamed: Unnamed): EgressRefusal | undefined {
  const { serverName } = hello;
  if (serverName !== undefined && meansHost(serverName, host)) return undefined;
  if (serverName === undefined && (unnamed === 'always' || isSeldomNamed(host))) return undefined;
  const cover = hello.encryptedHello === 'present' ? '; its encrypted hello cannot be read here' : '';
  const named = serverName === undefined ? 'names no host' : `names ${serverName}`;
  return { code: 'authority-mismatch', message: `the TLS hello on a connection to ${host} ${named}${cover}`, remedy: 'connect to the host by its own name, and let the client send it (SNI)' };
}

/**
 * RFC 6066 §3 has no addresses in hellos. Java and `openssl s_client` do not name a host without a dot either (`localhost`),
 * and Java none with an underscore (`SNIHostName`, `Utilities.rawToSNIHostName` of OpenJDK).
 */
function isSeldomNamed(host: string): boolean {
  return normaliseHost(host)?.address !== undefined || !host.includes('.') || host.includes('_');
}

/** Why a handshake came to nothing. */
export function handshakeRefusal(host: string, problem: unknown): EgressRefusal {
  if (problem instanceof DeadlinePassed) return tooSlow(host);
  const code = codeOf(problem);
  if (distrust.has(code)) {
    return clientTls(`the client does not trust the session's certificate authority for ${host}`, `let the client use the system's certificates; for one that pins its own, ${passThrough(host)}`);
  }
  const known = problems.get(code);
  if (known !== undefined) return clientTls(`the client and Holdfast have no common ground for TLS to ${host}: ${known}`, `update the client, or ${passThrough(host)}`);
  return clientTls(`the client broke off the TLS handshake to ${host}${/^[A-Z0-9_]+$/u.test(code) ? ` (${code})` : ''}`, `see what the client says; if it pins a certificate, ${passThrough(host)}`);
}

/** Alerts of clients that looked at our certificate and turned away. */
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
  return clientTls(`the client did not finish its TLS handshake with ${host} in time`, 'run the client again; a handshake takes milliseconds');
}

/** For programs that believe nobody but themselves. */
function passThrough(host: string): string {
  return `list ${host} under passthrough of [network]`;
}

function clientTls(message: string, remedy: string): EgressRefusal {
  return { code: 'client-tls', message, remedy };
}

function codeOf(problem: unknown): string {
  return typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string' ? problem.code : '';
}
