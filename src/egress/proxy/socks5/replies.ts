import type { EgressRefusalCode } from '../../types.ts';
import { methods, socksVersion } from './messages.ts';

/** RFC 1928 §6. */
export const replyCodes = { succeeded: 0, generalFailure: 1, notAllowed: 2, hostUnreachable: 4, connectionRefused: 5, timeToLiveExpired: 6, commandNotSupported: 7, addressTypeNotSupported: 8 } as const;

export type ReplyCode = (typeof replyCodes)[keyof typeof replyCodes];

/** SOCKS has no words for a reason, only these. */
const codes: Readonly<Record<EgressRefusalCode, ReplyCode>> = {
  policy: replyCodes.notAllowed,
  'special-address': replyCodes.notAllowed,
  'special-name': replyCodes.notAllowed,
  'unauthorised-proxy': replyCodes.notAllowed,
  'malformed-host': replyCodes.generalFailure,
  'malformed-request': replyCodes.generalFailure,
  'phantom-misused': 2,
  'secret-exposed': 2,
  'foreign-credential': 2,
  'data-loss': 2,
  'credential-unavailable': 1,
  'authority-mismatch': replyCodes.notAllowed,
  'name-not-found': replyCodes.hostUnreachable,
  'resolver-failed': replyCodes.hostUnreachable,
  unreachable: replyCodes.connectionRefused,
  'upstream-timeout': replyCodes.timeToLiveExpired,
  'upstream-certificate': replyCodes.generalFailure,
  'upstream-protocol': replyCodes.generalFailure,
  'client-tls': replyCodes.generalFailure,
  overloaded: replyCodes.generalFailure,
};

export function replyCodeOf(code: EgressRefusalCode): ReplyCode {
  return codes[code];
}

/** The address of our own end is nobody's business: 0.0.0.0:0. */
export function reply(code: ReplyCode): Buffer {
  return Buffer.from([socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

export const passwordWanted = Buffer.from([socksVersion, methods.password]);
export const noMethod = Buffer.from([socksVersion, methods.noneAcceptable]);
/** RFC 1929 §2. */
export const admitted = Buffer.from([1, 0]);
export const notAdmitted = Buffer.from([1, 1]);
/** Request rejected or failed, as SOCKS4 has it. Source: the SOCKS4 memo of Ying-Da Lee, NEC. */
export const socks4Rejected = Buffer.from([0, 91, 0, 0, 0, 0, 0, 0]);
