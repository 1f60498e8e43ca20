import type { Params } from './rpc.ts';
import { failureText, type Failure } from '../mcp/failures.ts';
import { shown } from '../mcp/shown.ts';

/** A call that was not made, as a result: the model reads it, and can do something else. */
export function failedCall(failure: Failure): Params {
  const bounded = shown('tool-result', { ...failure, message: failure.message.slice(0, longest) });
  return { isError: true, content: [{ type: 'text', text: failureText(bounded) }], _meta: { 'holdfast/failure': bounded } };
}

const longest = 4000;
