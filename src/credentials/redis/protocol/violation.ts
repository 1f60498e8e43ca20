/**
 * A client does not keep to the protocol. Its message holds nothing that was sent, and is what Redis says itself where
 * it says something.
 */
export class RespViolation extends Error {
  override readonly name = 'RespViolation';
}

/** Octets, or numbers of arguments. Source: networking.c and server.h of Redis 7.0, where not said otherwise. */
export const limits = {
  /** `proto-max-bulk-len`, its default. */
  bulk: 512 * 1024 * 1024,
  arguments: 1024 * 1024,
  /** Digits of a length; Redis takes more, and none that is allowed has them. */
  digits: 10,
  /** Of a command that is read as a whole: a login, or one that is written inline. Ours. */
  whole: 16 * 1024,
  /** Of the answer to a login. Ours. */
  line: 4096,
  /** The longest name of a command; every longer one is unknown. Ours. */
  name: 64,
  /** Of a key, for the journal. Ours. */
  key: 200,
} as const;
