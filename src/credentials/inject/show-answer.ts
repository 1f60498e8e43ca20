import { field, type Fields, type IncomingResponse, type OutgoingRequest, type Refused } from '../../egress/index.ts';
import { maskBody } from '../masking/index.ts';
import { watchWebSocket, type WebSocketWatch } from '../websocket/index.ts';
import { decodedAnswer } from './codings.ts';
import { giveUp } from './give-up.ts';
import type { PlacedCredential } from './placed-credentials.ts';
import { type Reflections, reflections } from './reflections.ts';
import { stop, type Watch } from './watch.ts';

const webSocketMessage = 'a WebSocket message';

interface Asked {
  /** As the client sent it. */
  readonly asked: OutgoingRequest;
  /** The credentials of the destination. */
  readonly here: readonly PlacedCredential[];
  /** Whether a secret may stand in the answer. */
  readonly isMasked: boolean;
}

/**
 * What a box may see of an answer: at hosts with a credential, or that had one, nothing that holds a secret, in whatever coding it came.
 * What the box says over a WebSocket is looked at everywhere.
 */
export async function showAnswer(answer: IncomingResponse, { asked, here, isMasked }: Asked, watch: Watch): Promise<IncomingResponse | Refused> {
  if (!isMasked) return watched(answer, watch, {});
  const decoded = decodedAnswer(answer, asked);
  if (decoded.kind === 'refused') return decoded;
  let shown: IncomingResponse = decoded;
  for (const placed of here) {
    if (placed.answer === undefined || !placed.answersTo(asked)) continue;
    const next = await placed.answer(shown, asked);
    if (next.kind === 'refused') {
      giveUp(shown);
      return next;
    }
    shown = next;
  }
  return masked(shown, watch);
}

function watched(answer: IncomingResponse, watch: Watch, incoming: Pick<WebSocketWatch, 'incoming' | 'onMasked'>): IncomingResponse {
  if (answer.tunnel === undefined) return answer;
  return { ...answer, tunnel: watchWebSocket(answer.tunnel, { ...incoming, outgoing: watch.detector, onHit: (hit) => void stop(watch, hit, webSocketMessage) }) };
}

/** Names as well as values: a server may say anything in either. */
export function maskedFields(fields: Fields, { masker }: Watch, { inHeader }: Reflections): Fields {
  return fields.map(({ name, key, value }) => field(masker.maskText(name, inHeader(key)), masker.maskText(value, inHeader(key))));
}

function masked(answer: IncomingResponse, watch: Watch): IncomingResponse {
  const { masker } = watch;
  const told = reflections(watch);
  const { body } = answer;
  return {
    ...watched(answer, watch, { incoming: masker, onMasked: told.at(webSocketMessage) }),
    reason: masker.maskText(answer.reason, told.at('the status line')),
    fields: maskedFields(answer.fields, watch, told),
    ...(body === undefined ? {} : { body: { ...maskBody(body, masker, told.at('the body')), trailers: () => maskedFields(body.trailers(), watch, told) } }),
  };
}
