import type { Refusal, RefusalAnswer } from '../types.ts';
import { refusalAnswer } from './refusals.ts';

/** `{ error: { message, type, param, code } }`. Source: openai 7.57.0, `APIError`. */
export function openaiRefusal({ status, message }: Refusal): RefusalAnswer {
  return refusalAnswer(status, (kept) => ({ error: openaiError(kept, message) }));
}

export function openaiError(status: number, message: string): { readonly message: string; readonly type: string; readonly param: null; readonly code: string } {
  return status === 429 ? { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' } : { message, type: 'invalid_request_error', param: null, code: 'refused_by_policy' };
}
