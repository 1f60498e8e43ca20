/**
 * Codes of an authenticator app (RFC 6238), for rules whose answers are worth a second device. The key lies in a file of the
 * user's state, which no box can see; it enters no event and no error.
 */
export { codeCheck } from './code-check.ts';
export { newKey, otpauthUri } from './enrolment.ts';
export { readKey, writeKey } from './key-file.ts';
export { counterAt, oneTimeCode } from './one-time-code.ts';
export { totpPlaces } from './places.ts';
export { spentCodes } from './spent-codes.ts';
