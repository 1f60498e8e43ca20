import { type Send, bodyFrom } from '../../egress/http/interceptor.ts';
import {
  type Body,
  type Fields,
  type IncomingResponse,
  type OutgoingRequest,
  field,
  withoutField,
} from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import { groupOf } from '../../policy/credentials/types.ts';
import { withoutCutSecrets } from '../masking/cut-secrets.ts';
import { createMasker } from '../masking/masker.ts';
import type { Detected, Detector, Hit, Masker } from '../masking/types.ts';
import { ownSignatureIn } from '../sigv4/read-signature.ts';
import { watchWebSocket, type WebSocketWatch } from '../websocket/watch-websocket.ts';
import { decodedAnswer, giveUp, readableCodings } from './codings.ts';
import type { PlacedCredential } from './placed-credentials.ts';
import type { ContentMode } from './put-in.ts';
import { headerWords } from './request-parts.ts';
import { destinationText, stop, type Watch } from './watch.ts';

export interface SecretExchange {
  /** The request as the client sent it. */
  readonly asked: OutgoingRequest;
  /** The request with its secrets. */
  readonly outgoing: OutgoingRequest;
  /** Credentials of the destination. */
  readonly here: readonly PlacedCredential[];
  readonly content: ContentMode;
}

/** Sends a request whose head has been checked. Searches its content as it passes, and masks the answer. */
export async function exchangeSecrets(
  { asked, outgoing, here, content }: SecretExchange,
  send: Send,
  watch: Watch,
): Promise<IncomingResponse | Refused> {
  let stopped: Refused | undefined;
  const onHit: Parameters<typeof watchBody>[2] = (hit, place) => {
    stopped = stop(watch, hit, place);
  };
  const { body } = outgoing;
  const watched = body === undefined || content === 'whole' ? {} : { body: watchBody(body, watch, onHit) };
  const isMasked = here.length > 0 || watch.given.has(destinationText(watch.connection.destination));
  const { onInformational } = outgoing;
  const informational =
    isMasked && onInformational !== undefined
      ? {
          onInformational: (status: number, fields: Fields) =>
            onInformational(status, maskedFields(fields, watch, reflections(watch))),
        }
      : {};
  const answer = await send({ ...outgoing, ...watched, ...informational, fields: readableFields(outgoing, isMasked) });
  // The reason that ended the exchange is more precise than the failed exchange.
  if (answer.kind === 'refused') return stopped ?? answer;
  const shown = await showAnswer(answer, { asked, here, isMasked }, watch);
  const signature = ownSignatureIn(outgoing, asked);
  return shown.kind === 'refused' || signature === undefined
    ? shown
    : withoutSignature(shown, { signature, here, watch });
}

interface Signed {
  readonly signature: string;
  readonly here: readonly PlacedCredential[];
  readonly watch: Watch;
}

/** Attack: S3 shows a signature in its errors and redirects, and the box forwards it to someone outside. */
function withoutSignature(answer: IncomingResponse, { signature, here, watch }: Signed): IncomingResponse {
  const signer = here.find(({ credential }) => credential.injection.kind === 'sigv4')?.credential;
  const known = [{ credential: signer === undefined ? '' : groupOf(signer), text: signature }];
  return masked(answer, { ...watch, masker: createMasker({ known: () => known }) });
}

/**
 * A compressed message cannot be searched as it passes, so extensions of WebSockets are dropped. They are optional (RFC
 * 6455 §9.1).
 */
function readableFields({ fields, upgrade }: OutgoingRequest, isMasked: boolean): Fields {
  const open = upgrade === undefined ? fields : withoutField(fields, 'sec-websocket-extensions');
  return isMasked ? readableCodings(open) : open;
}

/** Thrown to end an exchange while its body is being sent. */
class BodyStopped extends Error {}

/**
 * Passes the body on until a search hits. No byte of the hit leaves, because iterating rejects first. `onHit` is called
 * at once. The rest of the body stays unread and open: closing it would end the exchange before the client learns the
 * reason.
 */
function watchBody(
  body: Body,
  { detector, phantoms }: Pick<Watch, 'detector' | 'phantoms'>,
  onHit: (hit: Hit, place: string) => void,
): Body {
  async function* watched(): AsyncGenerator<Buffer, void> {
    const chunks = body[Symbol.asyncIterator]();
    let isStopped = false;
    const clear = (detected: Detected, place: string): Buffer => {
      if (detected.kind === 'clear') return detected.bytes;
      isStopped = true;
      onHit(detected.hit, place);
      throw new BodyStopped('The content held a secret that must not leave the box.');
    };
    try {
      const detecting = detector.open(phantoms);
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        const bytes = clear(detecting.push(next.value), 'the body');
        if (bytes.length > 0) yield bytes;
      }
      const rest = clear(detecting.end(), 'the body');
      if (rest.length > 0) yield rest;
      clear(inTrailers(body, detector), 'a trailer');
    } finally {
      if (!isStopped) await chunks.return?.();
    }
  }
  return bodyFrom(watched(), {
    ...(body.length === undefined ? {} : { length: body.length }),
    trailers: () => body.trailers(),
  });
}

function inTrailers(body: Body, detector: Detector): Detected {
  const bytes = textOf(body.trailers());
  const hit = detector.find(bytes);
  return hit === undefined ? { kind: 'clear', bytes } : { kind: 'hit', hit };
}

function textOf(fields: Fields): Buffer {
  return Buffer.from(fields.map(({ name, value }) => `${name}: ${value}`).join('\n'), 'latin1');
}

const webSocketMessage = 'a WebSocket message';

interface Asked {
  /** The request as the client sent it. */
  readonly asked: OutgoingRequest;
  /** Credentials of the destination. */
  readonly here: readonly PlacedCredential[];
  /** Whether the answer may contain a secret. */
  readonly isMasked: boolean;
}

/**
 * Returns the answer as a box may see it. If the host has or had a credential, all secrets in the answer are masked, in
 * any coding. Messages that the box sends over a WebSocket are searched for every host.
 */
async function showAnswer(
  answer: IncomingResponse,
  { asked, here, isMasked }: Asked,
  watch: Watch,
): Promise<IncomingResponse | Refused> {
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

function watched(
  answer: IncomingResponse,
  watch: Watch,
  incoming: Pick<WebSocketWatch, 'incoming' | 'onMasked'>,
): IncomingResponse {
  if (answer.tunnel === undefined) return answer;
  return {
    ...answer,
    tunnel: watchWebSocket(answer.tunnel, {
      ...incoming,
      outgoing: watch.detector,
      phantoms: watch.phantoms,
      onHit: (hit) => void stop(watch, hit, webSocketMessage),
    }),
  };
}

/** Masks names and values, because a server may write a secret into either. */
function maskedFields(fields: Fields, { masker }: Watch, { inHeader }: Reflections): Fields {
  return fields.map(({ name, key, value }) =>
    field(masker.maskText(name, inHeader(key)), masker.maskText(value, inHeader(key))),
  );
}

function masked(answer: IncomingResponse, watch: Watch): IncomingResponse {
  const { masker } = watch;
  const told = reflections(watch);
  const { body } = answer;
  return {
    ...watched(answer, watch, { incoming: masker, onMasked: told.at(webSocketMessage) }),
    reason: masker.maskText(answer.reason, told.at('the status line')),
    fields: maskedFields(answer.fields, watch, told),
    ...(body === undefined
      ? {}
      : {
          body: {
            ...maskBody(answer.status === 206 ? withoutCut(body, watch, told) : body, masker, told.at('the body')),
            trailers: () => maskedFields(body.trailers(), watch, told),
          },
        }),
  };
}

function withoutCut(body: Body, { context }: Watch, told: Reflections): Body {
  return bodyFrom(withoutCutSecrets(body, { known: context.secrets.known(), onMasked: told.at('the body') }), {
    ...(body.length === undefined ? {} : { length: body.length }),
    trailers: () => body.trailers(),
  });
}

/** Masks the secrets in content as it streams, without changing its length. Encoded content has to be decoded first. */
export function maskBody(body: Body, masker: Masker, onMasked: (credential: string) => void): Body {
  async function* masked(): AsyncGenerator<Buffer, void> {
    const masking = masker.open(onMasked);
    for await (const bytes of body) {
      const clear = masking.push(bytes);
      if (clear.length > 0) yield clear;
    }
    const rest = masking.end();
    if (rest.length > 0) yield rest;
  }
  return bodyFrom(masked(), {
    ...(body.length === undefined ? {} : { length: body.length }),
    trailers: () => body.trailers(),
  });
}

/** Reports reflected secrets, once for each part of an answer. */
interface Reflections {
  at(place: string): (credential: string) => void;
  inHeader(key: string): (credential: string) => void;
}

function reflections({ context, connection: { destination } }: Watch): Reflections {
  const told = new Set<string>();
  const at: Reflections['at'] = (place) => (credential) => {
    const name = `${credential}\n${place}`;
    if (told.has(name)) return;
    told.add(name);
    context.alarm({ kind: 'secret-reflected', credential, destination, place });
  };
  return { at, inHeader: (key) => at(headerWords(key)) };
}
