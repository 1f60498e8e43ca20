import type { Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Alpn } from '../http/message.ts';
import type { EgressRefusal, Refused } from '../types.ts';
import { deadlineOf, DeadlinePassed } from './deadline.ts';
import type { UpstreamTrust } from './upstream-trust.ts';

export interface SecureUpstreamOptions {
  /** The normalised name or address that was decided and dialled. The server has to prove it. */
  readonly host: string;
  /** Protocols for the server, best first. If empty, no ALPN is sent. */
  readonly alpn: readonly Alpn[];
  readonly trust: UpstreamTrust;
  /** Milliseconds for the handshake. Default: 10,000. */
  readonly deadline?: number;
}

export interface SecuredUpstream {
  readonly kind: 'secured';
  /** Verified for `host`. Its errors are caught, and an error ends it. */
  readonly socket: TLSSocket;
  /** `http/1.1` also if the server did not choose a protocol. */
  readonly alpn: Alpn;
  /** `resumed`: an earlier session was reused, which saves a full handshake. */
  readonly session: 'new' | 'resumed';
}

/**
 * Speaks TLS 1.2 or later over a dialled connection and verifies the certificate for the name. A refusal ends the
 * connection.
 */
export async function secureUpstream(
  socket: Socket,
  options: SecureUpstreamOptions,
): Promise<SecuredUpstream | Refused> {
  const deadline = deadlineOf(options.deadline ?? 10_000);
  // Either end may break at any time, even after its caller has lost interest.
  socket.on('error', ignore);
  try {
    return await handshake({ socket, options, signal: deadline.signal });
  } catch (problem) {
    socket.destroy();
    return { kind: 'refused', refusal: upstreamRefusal({ host: options.host, problem }) };
  } finally {
    deadline.clear();
  }
}

interface Handshake {
  readonly socket: Socket;
  readonly options: SecureUpstreamOptions;
  readonly signal: AbortSignal;
}

function handshake({ socket, options, signal }: Handshake): Promise<SecuredUpstream | Refused> {
  const secure = startTls(socket, options);
  keepSessions(secure, { ...options, key: sessionKey(socket, options) });
  return new Promise((resolve) => {
    let problem: unknown;
    const onError = (error: unknown): void => {
      problem ??= error;
    };
    const onSecure = (): void =>
      settle({
        kind: 'secured',
        socket: secure,
        alpn: secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1',
        session: secure.isSessionReused() ? 'resumed' : 'new',
      });
    const onEnd = (): void => {
      settle({ kind: 'refused', refusal: upstreamRefusal({ host: options.host, problem }) });
      secure.destroy();
      socket.destroy();
    };
    const onDeadline = (): void => {
      onError(signal.reason);
      onEnd();
    };
    const settle = (outcome: SecuredUpstream | Refused): void => {
      secure.off('secureConnect', onSecure).off('close', onEnd);
      signal.removeEventListener('abort', onDeadline);
      resolve(outcome);
    };
    secure.on('error', onError).on('close', onEnd).on('secureConnect', onSecure);
    signal.addEventListener('abort', onDeadline);
  });
}

function startTls(socket: Socket, options: SecureUpstreamOptions): TLSSocket {
  const { host, alpn, trust } = options;
  const isAddress = normaliseHost(host)?.address !== undefined;
  const session = trust.sessions.get(sessionKey(socket, options));
  return connect({
    socket,
    host,
    // A hello cannot name an address (RFC 6066 §3).
    ...(!isAddress && { servername: host }),
    ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
    ...(session !== undefined && { session }),
    secureContext: trust.context(),
    checkServerIdentity: identityCheck(trust.distrusted),
    rejectUnauthorized: true,
  });
}

/** Keeps sessions only of a server that has proved its name, because resumption checks no certificate. */
function keepSessions(secure: TLSSocket, { trust, key }: SecureUpstreamOptions & { readonly key: string }): void {
  secure.on('session', (session) => {
    if (secure.authorized) trust.sessions.set(key, session);
  });
}

function sessionKey(socket: Socket, { host, alpn }: SecureUpstreamOptions): string {
  return `${host} ${socket.remotePort ?? 0} ${alpn.join(',')}`;
}

function ignore(): void {
  // The connection ends because of its error. Code that waits for the end listens to 'close'.
}

/** `upstreamRefusal` recognises it by its `code`. */
class DistrustedCertificate extends Error {
  override readonly name = 'DistrustedCertificate';
  readonly code = 'CERT_DISTRUSTED';
}

type Certificate = PeerCertificate | DetailedPeerCertificate;

/**
 * The certificate must carry the name as a subject alternative name. Without such a name, or if it is only an address,
 * Node falls back to the common name. No other client accepts that any more (RFC 9525 §2). No certificate up to the
 * root may be distrusted.
 */
export function identityCheck(
  distrusted: ReadonlySet<string>,
): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (host, certificate) => {
    const wrongName = checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
    if (wrongName !== undefined || distrusted.size === 0) return wrongName;
    return chainOf(certificate).some((link) => isDistrusted(link, distrusted))
      ? new DistrustedCertificate()
      : undefined;
  };
}

function isDistrusted(certificate: Certificate, distrusted: ReadonlySet<string>): boolean {
  const names = [certificate.subject.CN, certificate.subject.O].flat();
  return distrusted.has(certificate.fingerprint256) || names.some((name) => name !== undefined && distrusted.has(name));
}

/** Returns the certificate, its issuer, and so on. A root is its own issuer. */
function chainOf(certificate: Certificate): readonly Certificate[] {
  const chain: Certificate[] = [];
  for (
    let link: Certificate | undefined = certificate;
    link !== undefined && !chain.includes(link);
    link = 'issuerCertificate' in link ? link.issuerCertificate : undefined
  )
    chain.push(link);
  return chain;
}

interface UpstreamProblem {
  readonly host: string;
  /** Node's error, if any. */
  readonly problem: unknown;
}

/** Returns the reason that a server was refused, in words for a person and a model. */
export function upstreamRefusal({ host, problem }: UpstreamProblem): EgressRefusal {
  if (problem instanceof DeadlinePassed)
    return {
      code: 'upstream-timeout',
      message: `${host} did not finish the TLS handshake in time`,
      remedy: 'try again later, or check that the server is up',
    };
  const code = codeOf(problem);
  const known = certificateProblems.get(code);
  if (known !== undefined)
    return {
      code: 'upstream-certificate',
      message: `the certificate of ${host} ${known.is}${known.detail?.(problem) ?? ''}`,
      remedy: known.remedy.replaceAll('HOST', host),
    };
  const reason =
    protocolProblems.get(code) ??
    (/^[A-Z0-9_]+$/u.test(code) ? `the handshake failed (${code})` : 'it closed the connection during the handshake');
  return {
    code: 'upstream-protocol',
    message: `${host} could not be reached over TLS: ${reason}`,
    remedy: `check that ${host} speaks TLS 1.2 or later on this port; if it wants a client certificate, list it under passthrough of [network]`,
  };
}

interface CertificateProblem {
  /** Completes the sentence "the certificate of HOST …". */
  readonly is: string;
  readonly remedy: string;
  readonly detail?: (problem: unknown) => string;
}

const ask = 'ask the operator of HOST to renew it; no setting here can';
const addRoot =
  'if HOST is yours, list the PEM file of its authority under ca of [network]; otherwise someone may intercept the connection';
const wrongHost =
  'check the spelling of the name; if it is correct, someone may intercept the connection, or HOST is set up wrongly';

/** Codes of Node's documentation, "X509 certificate error codes". */
const certificateProblems: ReadonlyMap<string, CertificateProblem> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', { is: 'is for another host', remedy: wrongHost, detail: namesOf }],
  ['HOSTNAME_MISMATCH', { is: 'is for another host', remedy: wrongHost, detail: namesOf }],
  ['CERT_HAS_EXPIRED', { is: 'or of its authority has expired', remedy: ask }],
  ['CERT_NOT_YET_VALID', { is: 'or of its authority is not valid yet', remedy: 'check the clock of this machine' }],
  ['CERT_REVOKED', { is: 'has been revoked', remedy: ask }],
  [
    'CERT_DISTRUSTED',
    {
      is: 'or one it rests on is on the list of distrusted certificates',
      remedy: 'take it off the list only if you know why it was added',
    },
  ],
  ['CERT_REJECTED', { is: 'is marked as not to be trusted', remedy: ask }],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', { is: 'is signed by itself', remedy: addRoot }],
  ['SELF_SIGNED_CERT_IN_CHAIN', { is: 'rests on an authority that this machine does not trust', remedy: addRoot }],
  ['CERT_UNTRUSTED', { is: 'rests on an authority that this machine does not trust', remedy: addRoot }],
  ['UNABLE_TO_GET_ISSUER_CERT', { is: 'rests on an authority that this machine does not know', remedy: addRoot }],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    { is: 'rests on an authority that this machine does not know', remedy: addRoot },
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    { is: 'comes without the certificate of the authority that signed it', remedy: addRoot },
  ],
  ['CERT_CHAIN_TOO_LONG', { is: 'rests on too many others', remedy: ask }],
  ['CERT_SIGNATURE_FAILURE', { is: 'carries a signature that is wrong', remedy: wrongHost }],
  ['INVALID_CA', { is: 'was signed with a certificate that may not sign', remedy: wrongHost }],
  ['PATH_LENGTH_EXCEEDED', { is: 'was signed by an authority that may not sign at this depth', remedy: wrongHost }],
  ['INVALID_PURPOSE', { is: 'or one it rests on is not meant for this use', remedy: ask }],
  ['UNSPECIFIED', { is: 'cannot be verified', remedy: ask }],
]);

const protocolProblems: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'it closed the connection during the handshake'],
  ['EPIPE', 'it closed the connection during the handshake'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it does not speak TLS'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'it speaks TLS 1.1 or older'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'it wants another version of TLS'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'it refused the handshake'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'it refused the handshake'],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'it does not know this name'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'it speaks neither HTTP/1.1 nor HTTP/2'],
]);

/** Returns at most three names of the certificate. The server wrote them, so only valid host names are repeated. */
function namesOf(problem: unknown): string {
  const text =
    problem instanceof Error && 'cert' in problem
      ? (problem.cert as Partial<PeerCertificate>).subjectaltname
      : undefined;
  const names = (text ?? '')
    .split(', ')
    .map((entry) => entry.replace(/^(?:DNS|IP Address):/u, ''))
    .filter((name) => /^[a-z0-9*._:-]{1,80}$/iu.test(name));
  return names.length === 0
    ? ''
    : `: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
}

function codeOf(problem: unknown): string {
  return typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';
}
