import { claudeTools } from '../tools/claude.ts';
import type { Dialect, HookAnswer, HookCall, HookReply } from '../types.ts';
import { decodeCall, say, silence } from './reply.ts';

/** Claude Code 2.1. Source: code.claude.com/docs/en/hooks, and the schemas in the program. */
export const claude: Dialect = {
  tools: claudeTools,
  decode: (message) => decodeCall(message, { PreToolUse: 'before', PermissionRequest: 'permission', PostToolUse: 'after' }),
  encode: (call, answer) => (call.moment === 'permission' ? encodePermission(answer) : encodeTool(call, answer)),
};

function encodeTool({ event }: HookCall, answer: HookAnswer): HookReply {
  const specific = (members: object): HookReply => say({ hookSpecificOutput: { hookEventName: event, ...members } });
  switch (answer.kind) {
    case 'pass':
      return silence;
    case 'deny':
      return specific({ permissionDecision: 'deny', permissionDecisionReason: answer.reason });
    case 'ask':
      return specific({ permissionDecision: 'ask', permissionDecisionReason: answer.reason });
    case 'rewrite':
      return specific({ permissionDecision: answer.ask === undefined ? 'allow' : 'ask', permissionDecisionReason: answer.ask ?? 'Holdfast: it runs in the box', updatedInput: answer.input });
    case 'replace':
      return specific({ updatedToolOutput: answer.result, additionalContext: answer.note });
  }
}

/** Nothing but a refusal: what is not refused is for the person who is being asked. */
function encodePermission(answer: HookAnswer): HookReply {
  if (answer.kind !== 'deny') return silence;
  return say({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: answer.reason } } });
}
