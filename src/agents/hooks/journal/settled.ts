import type { Decision } from '../../../policy/verdict.ts';
import type { PolicyRequest } from '../../../policy/request.ts';
import type { HookCall, JudgedRequest } from '../types.ts';

export type SettledVerdict = JudgedRequest['verdict'];

/** Returns the hook's own verdict, for a request that no policy rule covers. */
export function settled(
  decision: Decision,
  message: string,
  remedy = decision === 'deny' ? 'do it in a command, which runs in the box' : 'nothing is needed',
): SettledVerdict {
  return {
    decision,
    code: decision === 'deny' ? 'unrepresentable' : 'granted',
    rule: 'hook',
    layer: 'required',
    file: 'built-in',
    line: 0,
    message,
    remedy,
  };
}

/** Returns a request for a tool of the agent itself. */
export function toolRequest({ tool }: Pick<HookCall, 'tool'>): PolicyRequest {
  return { kind: 'tool', server: '', tool, arguments: '{}' };
}
