import { decodedAnswer, readableCodings } from '../../credentials/index.ts';
import type { IncomingResponse, OutgoingRequest, Refused, Send } from '../../egress/index.ts';
import type { Dialect, ModelCall } from '../../llm/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import { answerBody } from './answer-body.ts';
import { agentOf } from './agent-of.ts';
import { type KeptCall, refusedUnkept } from './log/index.ts';
import { prepareCall, saidOf } from './prepare-call.ts';
import { readContent } from './read-content.ts';
import { refuseCall } from './refuse-call.ts';
import { tellCall } from './tell-call.ts';
import type { Looking } from './types.ts';
import { withContent } from './with-content.ts';

export interface LookedCall extends Looking {
  readonly rules: readonly DlpRule[];
  readonly call: ModelCall;
  readonly dialect: Dialect;
}

/** What is known of a call so far. */
export interface CallState extends LookedCall {
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly agent: string | undefined;
  /** Absent where no texts are kept. */
  readonly kept?: KeptCall | undefined;
}

/** One call of a model: admitted, looked into, sent, and its answer metered and filtered while it streams. */
export async function carryCall(request: OutgoingRequest, send: Send, looked: LookedCall): Promise<IncomingResponse | Refused> {
  const began = looked.gateway.now();
  const agent = agentOf(request);
  const content = await readContent(request);
  const bytes = content.kind === 'bytes' ? content.bytes : undefined;
  const call: ModelCall = { ...saidOf(bytes), ...looked.call };
  const kept = looked.gateway.keep?.({ ...looked, call });
  const state: CallState = { ...looked, call, began, agent, kept };
  if (content.kind === 'unreadable') return refuseCall(state, { code: 'unreadable', status: content.status, message: content.why });
  const unkept = refusedUnkept(state);
  if (unkept !== undefined) return refuseCall(state, unkept);
  const prepared = prepareCall(state, bytes);
  if (prepared.kind === 'refused') return refuseCall(state, prepared);
  const { bytes: edited, usageOnly } = prepared;
  const outgoing = withContent({ ...request, fields: readableCodings(request.fields) }, content, edited);
  kept?.request(outgoing, edited);
  const answer = await send(outgoing);
  if (answer.kind === 'refused') {
    const { code, message } = answer.refusal;
    // Attack: a client that leaves before the answer begins has been served by then, as far as anybody knows.
    const refusal = request.signal.aborted ? {} : { refusal: { code, message } };
    tellCall(state, { status: 0, completeness: 'partial', toolCalls: [], ...refusal });
    return answer;
  }
  const decoded = decodedAnswer(answer, request);
  if (decoded.kind === 'response') return answerBody(decoded, { state, usageOnly, signal: request.signal });
  // It was served, and counts; that its client does not get it is another thing to tell.
  tellCall(state, { status: answer.status, completeness: 'partial', toolCalls: [] });
  return refuseCall({ ...state, kept: undefined }, { code: 'unreadable', status: 403, message: decoded.refusal.message });
}
