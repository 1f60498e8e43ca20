import { decodedAnswer, readableCodings } from '../../credentials/index.ts';
import type { IncomingResponse, OutgoingRequest, Refused, Send } from '../../egress/index.ts';
import type { Dialect, ModelCall } from '../../llm/index.ts';
import { peekJson } from '../../dlp/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import { answerBody } from './answer-body.ts';
import { agentOf } from './agent-of.ts';
import { contentRules } from './content-rules.ts';
import { editContent, type Found } from './edit-content.ts';
import { readContent } from './read-content.ts';
import { refuseCall } from './refuse-call.ts';
import { steered } from './steered.ts';
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
  const admission = gateway.spending.admit(call, settings);
  if (admission.kind === 'refused') return refuse(admission);
  const looking = look(state, bytes);
  if (looking.kind === 'refused') return refuse(looking);
  const { bytes: edited, usageOnly } = steered(looking.bytes, { dialect, call, warnings: admission.warnings });
  const outgoing = withContent({ ...request, fields: readableCodings(request.fields) }, content, edited);
  const answer = await send(outgoing);
  if (answer.kind === 'refused') {
    tellCall(state, { status: 0, completeness: 'partial', toolCalls: [], refusal: { code: answer.refusal.code, message: answer.refusal.message } });
    return answer;
  }
  const decoded = decodedAnswer(answer, request);
  return decoded.kind === 'refused' ? decoded : answerBody(decoded, state, usageOnly);
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
  const fields = call.operation === 'other' ? ['**'] : [...dialect.requestText, ...dialect.requestTextOrBase64];
  const edited = editContent(bytes, { rules, fakes: gateway.fakes, fields });
  if (edited.kind === 'unreadable') {
    return call.operation === 'other' ? { kind: 'passes', bytes } : { kind: 'refused', code: 'unreadable', status: 400, message: 'the request is no JSON that could be looked into' };
  }
  for (const found of edited.found) tellFound(state, found);
  if (edited.kind === 'passes') return { kind: 'passes', bytes: edited.bytes };
  const kinds = Object.keys(edited.by.counts).join(', ');
  return { kind: 'refused', code: 'dlp', status: 403, message: `the request holds what may not leave (${kinds}), by the rule ${edited.by.rule.name}${edited.by.rule.reason === undefined ? '' : `: ${edited.by.rule.reason}`}. Take it out of the conversation` };
}

function tellFound({ gateway, destination, path }: Looking, { rule, counts }: Found): void {
  gateway.record({ type: 'dlp', host: destination.host, port: destination.port, path, rule: rule.name, decision: rule.decision, found: counts });
}
