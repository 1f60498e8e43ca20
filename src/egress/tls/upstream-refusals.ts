import type { PeerCertificate } from 'node:tls';
import type { EgressRefusal } from '../types.ts';
import { DeadlinePassed } from './deadline.ts';

export interface UpstreamProblem {
  readonly host: string;
  /** What Node said, if anything. */
  readonly problem: unknown;
}

/** Why a server was not talked to, in words for a person and a model. */
export function upstreamRefusal({ host, problem }: UpstreamProblem): EgressRefusal {
  if (problem instanceof DeadlinePassed) return { code: 'upstream-timeout', message: `${host} did not finish the TLS handshake in time`, remedy: 'try again later, or see whether the server is up' };
  const code = codeOf(problem);
  const known = certificateProblems.get(code);
  if (known !== undefined) return { code: 'upstream-certificate', message: `the certificate of ${host} ${known.is}${known.detail?.(problem) ?? ''}`, remedy: known.remedy.replaceAll('HOST', host) };
  const reason = protocolProblems.get(code) ?? (/^[A-Z0-9_]+$/u.test(code) ? `the handshake failed (${code})` : 'it closed the connection during the handshake');
  return { code: 'upstream-protocol', message: `${host} could not be reached over TLS: ${reason}`, remedy: `see whether ${host} speaks TLS 1.2 or later on this port; if it wants a client certificate, list it under passthrough of [network]` };
}

interface CertificateProblem {
  /** After "the certificate of HOST". */
  readonly is: string;
  readonly remedy: string;
  readonly detail?: (problem: unknown) => string;
}

const ask = 'ask whoever runs HOST to renew it; nothing here can make it good';
const addRoot = 'if HOST is yours, list the PEM file of its authority under ca of [network]; otherwise somebody may stand between';
const wrongHost = 'see whether the name is spelt right; if it is, somebody may stand between, or HOST is set up wrongly';

/** Codes of Node's documentation, "X509 certificate error codes". */
const certificateProblems: ReadonlyMap<string, CertificateProblem> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', { is: 'is for another host', remedy: wrongHost, detail: namesOf }],
  ['HOSTNAME_MISMATCH', { is: 'is for another host', remedy: wrongHost, detail: namesOf }],
  ['CERT_HAS_EXPIRED', { is: 'or of its authority has expired', remedy: ask }],
  ['CERT_NOT_YET_VALID', { is: 'or of its authority is not valid yet', remedy: 'see whether the clock of this machine is right' }],
  ['CERT_REVOKED', { is: 'has been revoked', remedy: ask }],
  ['CERT_DISTRUSTED', { is: 'or one it rests on is on the list of distrusted certificates', remedy: 'take it off the list only if you know why it stands there' }],
  ['CERT_REJECTED', { is: 'is marked as not to be trusted', remedy: ask }],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', { is: 'is signed by itself', remedy: addRoot }],
  ['SELF_SIGNED_CERT_IN_CHAIN', { is: 'rests on an authority that this machine does not trust', remedy: addRoot }],
  ['CERT_UNTRUSTED', { is: 'rests on an authority that this machine does not trust', remedy: addRoot }],
  ['UNABLE_TO_GET_ISSUER_CERT', { is: 'rests on an authority that this machine does not know', remedy: addRoot }],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', { is: 'rests on an authority that this machine does not know', remedy: addRoot }],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', { is: 'comes without the certificate of the authority that signed it', remedy: addRoot }],
  ['CERT_CHAIN_TOO_LONG', { is: 'rests on too many others', remedy: ask }],
  ['CERT_SIGNATURE_FAILURE', { is: 'carries a signature that is wrong', remedy: wrongHost }],
  ['INVALID_CA', { is: 'was signed with a certificate that may not sign', remedy: wrongHost }],
  ['PATH_LENGTH_EXCEEDED', { is: 'was signed by an authority too far down', remedy: wrongHost }],
  ['INVALID_PURPOSE', { is: 'or one it rests on is not meant for this use', remedy: ask }],
  ['UNSPECIFIED', { is: 'cannot be verified', remedy: ask }],
]);

const protocolProblems: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'it closed the connection during the handshake'],
  ['EPIPE', 'it closed the connection during the handshake'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it speaks something else than TLS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it speaks something else than TLS'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'it speaks TLS 1.1 or older'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'it wants another version of TLS'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'it refused the handshake'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'it refused the handshake'],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'it does not know this name'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'it speaks neither HTTP/1.1 nor HTTP/2'],
]);

/** At most three of the names it is for. The server wrote them: only what can be a name is repeated. */
function namesOf(problem: unknown): string {
  const text = problem instanceof Error && 'cert' in problem ? (problem.cert as Partial<PeerCertificate>).subjectaltname : undefined;
  const names = (text ?? '').split(', ').map((entry) => entry.replace(/^(?:DNS|IP Address):/u, '')).filter((name) => /^[a-z0-9*._:-]{1,80}$/iu.test(name));
  return names.length === 0 ? '' : `: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
}

function codeOf(problem: unknown): string {
  return typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string' ? problem.code : '';
}
