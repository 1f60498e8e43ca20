import type { EgressRefusalCode } from '../../types.ts';

/** `passes`: the network's facts do not refuse it. A policy may still do so. */
export type Expected = EgressRefusalCode | 'passes';

/** An attacker's URL: `[url, expected, attempt]`. */
export type UrlPayload = readonly [url: string, expected: Expected, attack: string];

/** A resolver's answer for a name: `[name, aliases, addresses, expected, attempt]`. */
export type AnswerPayload = readonly [
  name: string,
  aliases: readonly string[],
  addresses: readonly string[],
  expected: Expected,
  attack: string,
];
