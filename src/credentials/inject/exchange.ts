import { type Fields, type IncomingResponse, type OutgoingRequest, type Refused, type Send, withoutField } from '../../egress/index.ts';
import { readableCodings } from './codings.ts';
import type { PlacedCredential } from './placed-credentials.ts';
import type { Content } from './put-in.ts';
import { reflections } from './reflections.ts';
import { maskedFields, showAnswer } from './show-answer.ts';
import { nameOf, stop, type Watch } from './watch.ts';
import { watchBody } from './watch-body.ts';

export interface Exchange {
  /** As the client sent it. */
  readonly asked: OutgoingRequest;
  /** With its secrets. */
  readonly outgoing: OutgoingRequest;
  /** The credentials of the destination. */
  readonly here: readonly PlacedCredential[];
  readonly content: Content;
}

/** Sends a request whose head is in order, looks at its content on the way, and shows what may be seen of the answer. */
export async function exchange({ asked, outgoing, here, content }: Exchange, send: Send, watch: Watch): Promise<IncomingResponse | Refused> {
  let stopped: Refused | undefined;
  const onHit: Parameters<typeof watchBody>[2] = (hit, place) => {
    stopped = stop(watch, hit, place);
  };
  const { body } = outgoing;
  const watched = body === undefined || content === 'whole' ? {} : { body: watchBody(body, watch.detector, onHit) };
  const isMasked = here.length > 0 || watch.given.has(nameOf(watch.connection.destination));
  const { onInformational } = outgoing;
  const informational = isMasked && onInformational !== undefined ? { onInformational: (status: number, fields: Fields) => onInformational(status, maskedFields(fields, watch, reflections(watch))) } : {};
  const answer = await send({ ...outgoing, ...watched, ...informational, fields: readableFields(outgoing, isMasked) });
  // What ended the exchange tells more than that it ended.
  if (answer.kind === 'refused') return stopped ?? answer;
  return showAnswer(answer, { asked, here, isMasked }, watch);
}

/** A compressed message cannot be looked into as it passes. Extensions of WebSockets are offered, never needed: RFC 6455 §9.1. */
function readableFields({ fields, upgrade }: OutgoingRequest, isMasked: boolean): Fields {
  const open = upgrade === undefined ? fields : withoutField(fields, 'sec-websocket-extensions');
  return isMasked ? readableCodings(open) : open;
}
