import type { DialectSocket } from '../../../llm/index.ts';
import type { CallState } from '../carry-call.ts';
import type { CallRefusal } from '../prepare-call.ts';
import { longestContent } from '../read-content.ts';
import { tellCall } from '../tell-call.ts';

export type RefusedMessage = { readonly kind: 'refused' } & CallRefusal;

/** Why a message of a client stays here, besides what keeps a request of HTTP. */
export const clientRefusals = {
  binary: unreadable(400, 'a binary message cannot be looked into; send it as text'),
  notText: unreadable(400, 'a message is no text in UTF-8'),
  tooLong: unreadable(413, `a message has over ${longestContent / 2 ** 20} MiB, which is more than is looked into`),
  closed: unreadable(403, 'the policy has changed, and nobody can look into this WebSocket any more; open it again'),
  unkept: { kind: 'refused', code: 'log-failed', status: 403, message: 'this machine keeps what is said to models, and what is added to an answer that is under way cannot be kept; ask anew' },
  tooMany: { kind: 'refused', code: 'rate-limited', status: 429, message: 'too many answers are waited for at once on this WebSocket' },
} as const satisfies Readonly<Record<string, RefusedMessage>>;

export function unknownType({ asks }: DialectSocket): RefusedMessage {
  return unreadable(400, `a message is no JSON, or of a type that nobody here knows; what is known is ${Object.keys(asks).join(' and ')}`);
}

/** The event that tells a client, as the provider would say it. The journal is told. */
export function refusalEvent(state: CallState, { code, status: asked, message }: CallRefusal, lane: string): string {
  const { dialect } = state;
  const refusal = { status: asked, message: `Holdfast: ${message}` };
  const { status } = dialect.refusal(refusal);
  tellCall(state, { status, completeness: 'complete', toolCalls: [], refusal: { code, message } });
  const event = dialect.refusalEvent?.(refusal);
  return JSON.stringify({ ...(typeof event === 'object' ? event : {}), ...(lane === '' || dialect.socket === undefined ? {} : { [dialect.socket.lane]: lane }) });
}

function unreadable(status: number, message: string): RefusedMessage {
  return { kind: 'refused', code: 'unreadable', status, message };
}
