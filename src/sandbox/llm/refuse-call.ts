import { STATUS_CODES } from 'node:http';
import { field, type IncomingResponse, textBody } from '../../egress/index.ts';
import type { Dialect, Refusal } from '../../llm/index.ts';

/** A refusal as the provider would say it. */
export function refuseCall(dialect: Dialect, refusal: Refusal & { readonly code: string; readonly retryAfter?: number }): IncomingResponse {
  const { status, headers, body } = dialect.refusal(refusal);
  const text = JSON.stringify(body);
  const fields = Object.entries({ 'content-type': 'application/json', ...headers, 'content-length': String(Buffer.byteLength(text)), 'holdfast-refusal': refusal.code, 'cache-control': 'no-store', ...(refusal.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }) });
  return { kind: 'response', status, reason: STATUS_CODES[status] ?? '', fields: fields.map(([name, value]) => field(name, value)), body: textBody(text) };
}
