import type { AnswerContext } from './answer-context.ts';
import { ednsUdpSize, plainUdpSize, rcodes, typeName } from './constants.ts';
import { decodeQuery, type Query } from './decode-query.ts';
import { encodeFailure, encodeReply } from './encode-reply.ts';
import { find } from './find.ts';
import type { LookupRecord } from './lookup-record.ts';

export type Transport = 'udp' | 'tcp';

export type DnsAnswer =
  | { readonly kind: 'answered'; readonly reply: Uint8Array; readonly record: LookupRecord }
  /** Nothing may be sent back. */
  | { readonly kind: 'dropped' };

/** The answer to one message of a client. Rejects only when the authority, the resolver or the vetting does. */
export async function answerQuery(packet: Uint8Array, transport: Transport, context: AnswerContext): Promise<DnsAnswer> {
  const decoded = decodeQuery(packet);
  switch (decoded.kind) {
    case 'dropped':
      return { kind: 'dropped' };
    case 'malformed':
      return { kind: 'answered', reply: encodeFailure(decoded.header, decoded.rcode), record: { name: '', type: '', outcome: 'malformed' } };
    case 'query': {
      const { query } = decoded;
      const { rcode, answers, ...found } = await find(query, context);
      const record = { name: query.question.name, type: typeName(query.question.type), ...found };
      return { kind: 'answered', reply: encodeReply(query, { rcode, answers, limit: limitOf(query, transport) }), record };
    }
  }
}

/** The answer when something of ours broke: better than a client that waits for its time-out. */
export function failureReply(packet: Uint8Array): Uint8Array | undefined {
  const decoded = decodeQuery(packet);
  if (decoded.kind === 'dropped') return undefined;
  return encodeFailure(decoded.kind === 'query' ? decoded.query.header : decoded.header, rcodes.SERVFAIL);
}

function limitOf({ edns }: Query, transport: Transport): number {
  if (transport === 'tcp') return 0xffff;
  return edns === undefined ? plainUdpSize : Math.min(Math.max(edns.udpSize, plainUdpSize), ednsUdpSize);
}
