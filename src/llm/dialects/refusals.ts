import type { RefusalAnswer } from '../types.ts';

/**
 * A refusal with what keeps clients from trying again. SDKs of OpenAI and Anthropic try 408, 409, 429 and 5xx again, that of AWS 5xx and
 * throttling; `x-should-retry: false` stops the first two. 429 is kept for rate limits, where trying later is right.
 */
export function refusalAnswer(status: number, body: (status: number) => unknown, headers: Readonly<Record<string, string>> = {}): RefusalAnswer {
  const kept = refusalStatus(status);
  return { status: kept, headers: { 'content-type': 'application/json', ...(kept === 429 ? {} : { 'x-should-retry': 'false' }), ...headers }, body: body(kept) };
}

export function refusalStatus(status: number): number {
  return Number.isInteger(status) && status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 425 ? status : 403;
}
