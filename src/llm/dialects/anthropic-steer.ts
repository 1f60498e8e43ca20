import type { Steering } from '../types.ts';
import { listAt, textAt } from '../usage/hostile-json.ts';
import { lastOf } from './request-places.ts';

/**
 * A text block behind the last user message, or a user message of its own behind one that is a plain string: the API joins messages of one
 * role. A request that ends with an assistant's message is to be continued from there, so it has no such place.
 */
export function steerAnthropic(request: unknown, text: string): Steering | undefined {
  const last = lastOf(request, 'messages');
  const role = textAt(last?.value, 'role');
  if (last === undefined || role === undefined || role === 'assistant') return undefined;
  if (role === 'user' && listAt(last.value, 'content').length > 0) return { path: ['messages', last.index, 'content'], value: { type: 'text', text } };
  return { path: ['messages'], value: { role: 'user', content: text } };
}
