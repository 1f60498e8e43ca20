import * as v from 'valibot';
import { texts } from '../document/rule-schema.ts';
import { connect } from './attempts.ts';
import type { Feature } from './feature.ts';

export const socketsEntry = v.strictObject({
  allow: v.optional(texts('Unix sockets of the host that may be used')),
  deny: v.optional(texts('Unix sockets that may not be used')),
  later: v.optional(
    v.pipe(
      v.picklist(['refuse', 'reach']),
      v.description(
        'The treatment of host sockets that appear after the start of the box. "refuse" (default): the box cannot connect to them. "reach": it can, unless a rule judges sockets; only if no other policy says "refuse"',
      ),
    ),
  ),
});

export const sockets = {
  name: 'sockets',
  policy: { sockets: v.optional(socketsEntry) },
  settings: { laterSockets: 'sockets.later' },
  patterns: { 'sockets.allow': 'socket', 'sockets.deny': 'socket' },
  proofs: [
    {
      guarantee: 'unix-sockets',
      title: 'connect to a Unix socket of the host',
      attempt: connect('process.env.SOCKET'),
    },
    {
      guarantee: 'abstract-sockets',
      title: 'connect to an abstract socket of the host',
      attempt: connect('"\\0"+process.env.ABSTRACT'),
    },
  ],
} as const satisfies Feature;
