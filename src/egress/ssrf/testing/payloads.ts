import type { EgressRefusalCode } from '../../types.ts';

/** `passes`: is not refused by the network's facts. What a policy says comes on top. */
export type Expected = EgressRefusalCode | 'passes';

/** A URL as an attacker writes it: `[url, expected, what it tries]`. */
export type UrlPayload = readonly [url: string, expected: Expected, attack: string];

/** What a resolver answers for a name: `[name, aliases, addresses, expected, what it tries]`. */
export type AnswerPayload = readonly [
  name: string,
  aliases: readonly string[],
  addresses: readonly string[],
  expected: Expected,
  attack: string,
];
