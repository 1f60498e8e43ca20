import { STATUS_CODES } from 'node:http';
import { field, type IncomingResponse, textBody } from '../../egress/index.ts';
import type { CallState } from './types.ts';
import type { CallRefusal } from './prepare-call.ts';
import { tellCall } from './tell-call.ts';

/** A refusal as the provider would say it. The journal is told. */
export function refuseCall(
  state: CallState,
  { code, status: asked, message, retryAfter }: CallRefusal,
): IncomingResponse {
  const { status, headers, body } = state.dialect.refusal({ status: asked, message: `Holdfast: ${message}` });
  const text = JSON.stringify(body);
  const fields = Object.entries({
    'content-type': 'application/json',
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'holdfast-refusal': code,
    'cache-control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  tellCall(state, { status, completeness: 'complete', toolCalls: [], refusal: { code, message } });
  return {
    kind: 'response',
    status,
    reason: STATUS_CODES[status] ?? '',
    fields: fields.map(([name, value]) => field(name, value)),
    body: textBody(text),
  };
}
