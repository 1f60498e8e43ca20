import { decodedAnswer, readableCodings } from '../../credentials/index.ts';
import type { IncomingResponse, OutgoingRequest, Refused, Send } from '../../egress/index.ts';
import type { Dialect, ModelCall } from '../../llm/index.ts';
import { peekJson } from '../../dlp/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import { answerBody } from './answer-body.ts';
import { agentOf } from './agent-of.ts';
import { type ContentRules, contentRules } from './content-rules.ts';
import { editContent } from './edit-content.ts';
import { lookAtText } from './look-at-text.ts';
import { readContent } from './read-content.ts';
import { refuseCall } from './refuse-call.ts';
import { steered } from './steered.ts';
import type { Found } from './tally.ts';
import { tellCall } from './tell-call.ts';
import { tellFound } from './tell-found.ts';
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
}

/** One call of a model: admitted, looked into, sent, and its answer metered and filtered while it streams. */
export async function carryCall(request: OutgoingRequest, send: Send, looked: LookedCall): Promise<IncomingResponse | Refused> {
  const { gateway, dialect, settings } = looked;
  const began = gateway.now();
  const agent = agentOf(request);
  const content = await readContent(request);
  const bytes = content.kind === 'bytes' ? content.bytes : undefined;
  const model = looked.call.model ?? modelIn(bytes);
  const call: ModelCall = { ...looked.call, ...(model === undefined ? {} : { model }) };
  const state: CallState = { ...looked, call, began, agent };
  const refuse = ({ code, status, message, retryAfter }: Refusal): IncomingResponse => {
    const answer = refuseCall(dialect, { code, status, message: `Holdfast: ${message}`, ...(retryAfter === undefined ? {} : { retryAfter }) });
    tellCall(state, { status: answer.status, completeness: 'complete', toolCalls: [], refusal: { code, message } });
    return answer;
  };
  if (request.upgrade !== undefined) return refuse({ code: 'websocket', status: 403, message: 'WebSockets to language models are not looked into, so they are refused; use HTTP' });
  if (content.kind === 'unreadable') return refuse({ code: 'unreadable', status: content.status, message: content.why });
  const looking = look(state, bytes);
  if (looking.kind === 'refused') return refuse(looking);
  // What does not leave does not count.
  const admission = gateway.spending.admit(call, settings);
  if (admission.kind === 'refused') return refuse(admission);
  const { bytes: edited, usageOnly } = steered(looking.bytes, { dialect, call, warnings: admission.warnings });
  const outgoing = withContent({ ...request, fields: readableCodings(request.fields) }, content, edited);
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
  tellCall(state, { status: answer.status, completeness: 'partial', toolCalls: [] });
  return decoded;
}

interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

function modelIn(bytes: Buffer | undefined): string | undefined {
  const [model] = bytes === undefined ? [] : peekJson(bytes, [['model']]);
  return typeof model === 'string' && model !== '' ? model.slice(0, 200) : undefined;
}

type Look = { readonly kind: 'passes'; readonly bytes: Buffer | undefined } | { readonly kind: 'refused'; readonly code: string; readonly status: number; readonly message: string };

/** What the rules say about the content. What cannot be looked into does not go on where something is looked for. */
function look(state: CallState, bytes: Buffer | undefined): Look {
  const { gateway, dialect, rules: wanted, call } = state;
  const rules = contentRules(wanted, gateway.secrets());
  if (bytes === undefined || bytes.length === 0 || rules === undefined) return { kind: 'passes', bytes };
  const isOther = call.operation === 'other';
  const fields = isOther ? { fields: ['**'] } : { fields: dialect.requestText, textOrBase64: dialect.requestTextOrBase64 };
  const edited = editContent(bytes, { rules, fakes: gateway.fakes, ...fields });
  if (edited.kind === 'unreadable') return isOther ? lookAtUpload(state, bytes, rules) : { kind: 'refused', code: 'unreadable', status: 400, message: 'the request is no JSON that could be looked into' };
  tellFound(state, edited.found);
  return edited.kind === 'passes' ? { kind: 'passes', bytes: edited.bytes } : blocked(edited.by, 'Take it out of the conversation');
}

/** Files go to servers of models in forms. */
function lookAtUpload(state: CallState, bytes: Buffer, rules: ContentRules): Look {
  const { found, by } = lookAtText(bytes, { rules, fakes: state.gateway.fakes });
  tellFound(state, found);
  return by === undefined ? { kind: 'passes', bytes } : blocked(by, 'Take it out of what is sent: what is no JSON cannot be changed on its way');
}

function blocked({ rule, counts }: Found, remedy: string): Look {
  const reason = rule.reason === undefined ? '' : `: ${rule.reason}`;
  return { kind: 'refused', code: 'dlp', status: 403, message: `the request holds what may not leave (${Object.keys(counts).join(', ')}), by the rule ${rule.name}${reason}. ${remedy}` };
}
