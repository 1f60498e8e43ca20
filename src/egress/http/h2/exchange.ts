import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Refused } from '../../types.ts';
import { refused } from '../decide-request.ts';
import { httpLimits } from '../limits.ts';
import type { IncomingResponse, OutgoingRequest } from '../message.ts';
import type { ResetRefused } from '../reset.ts';
import { fieldsOf, headersOf, readHttp2Body } from './read-body.ts';
import { resetStream, writeContent } from './write-content.ts';

/** Sends one request as a stream of a session and reads the head of its final answer. Never rejects. */
export async function exchangeHttp2(
  session: ClientHttp2Session,
  request: OutgoingRequest,
): Promise<IncomingResponse | Refused> {
  if (request.upgrade !== undefined && !(await takesWebSockets(session))) return noWebSockets;
  const stream = openStream(session, request);
  if (stream === undefined) return unanswered;
  const { body, onInformational, signal, upgrade } = request;
  const cancel = (): void => resetStream(stream, constants.NGHTTP2_CANCEL);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  stream.on('close', () => signal.removeEventListener('abort', cancel));
  stream.on('headers', (headers: IncomingHttpHeaders & { ':status'?: number }) =>
    onInformational?.(headers[':status'] ?? 0, fieldsOf(headers)),
  );
  if (body !== undefined) void writeContent(stream, body);
  const answer = await headOf(stream);
  if (answer.kind === 'refused') return answer;
  if (upgrade === undefined || answer.status !== 200) return answer;
  const { body: _, ...head } = answer;
  return { ...head, tunnel: stream };
}

function openStream(
  session: ClientHttp2Session,
  { method, scheme, authority, target, fields, body, upgrade }: OutgoingRequest,
): ClientHttp2Stream | undefined {
  const pseudo: OutgoingHttpHeaders = {
    ':method': upgrade === undefined ? method : 'CONNECT',
    ':scheme': scheme,
    ':authority': authority,
    ':path': target,
  };
  if (upgrade !== undefined) pseudo[':protocol'] = upgrade;
  const isWhole = body === undefined && upgrade === undefined;
  try {
    const stream = session.request(
      { ...pseudo, ...headersOf(fields) },
      { endStream: isWhole, waitForTrailers: body !== undefined },
    );
    stream.on('error', () => undefined);
    stream.setTimeout(httpLimits.silence, () => resetStream(stream, constants.NGHTTP2_CANCEL));
    return stream;
  } catch {
    return undefined;
  }
}

function headOf(stream: ClientHttp2Stream): Promise<IncomingResponse | Refused> {
  return new Promise((resolve) => {
    stream.on('close', () => resolve(resetBy(stream)));
    stream.on('response', (headers: IncomingHttpHeaders & { ':status'?: number }, flags: number) => {
      const fields = fieldsOf(headers);
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      resolve({
        kind: 'response',
        status: headers[':status'] ?? 502,
        reason: '',
        fields,
        ...(isWhole ? {} : { body: readHttp2Body(stream, fields) }),
      });
    });
  });
}

function resetBy({ rstCode }: ClientHttp2Stream): Refused | ResetRefused {
  return rstCode === undefined || rstCode === constants.NGHTTP2_NO_ERROR
    ? unanswered
    : { ...unanswered, reset: rstCode };
}

/**
 * Returns true if the destination supports WebSockets over HTTP/2 (RFC 8441 §3). It announces this in its first
 * settings.
 */
function takesWebSockets(session: ClientHttp2Session): Promise<boolean> {
  const stated = (): boolean => session.remoteSettings?.enableConnectProtocol === true;
  if (session.remoteSettings?.initialWindowSize !== undefined && !session.connecting && stated())
    return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (): void => resolve(stated());
    session.once('remoteSettings', settle);
    session.once('close', settle);
    setTimeout(settle, 1000).unref();
  });
}

const noWebSockets = refused({
  code: 'upstream-protocol',
  message: 'The destination does not accept WebSockets over HTTP/2.',
  remedy: 'Open the WebSocket over HTTP/1.1, as clients do by themselves when this is refused.',
});

const unanswered = refused({
  code: 'upstream-protocol',
  message: 'The destination ended the HTTP/2 stream or its session without an answer.',
  remedy: 'Send the request again if repeating it is safe: it may have arrived.',
});
