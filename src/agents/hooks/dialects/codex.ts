import { codexTools } from '../tools/codex.ts';
import type { Dialect, HookAnswer, HookCall, HookReply } from '../types.ts';
import { decodeCall, resultText, say, silence } from './reply.ts';

/** Codex 0.169: Claude's events, without `ask`, and `allow` only with another input. Source: `hooks/schema/generated` of codex-rs. */
export const codex: Dialect = {
  tools: codexTools,
  decode: (message) => decodeCall(message, { PreToolUse: 'before', PermissionRequest: 'permission', PostToolUse: 'after' }),
  encode: (call, answer) => (call.moment === 'permission' ? encodePermission(answer) : encodeTool(call, answer)),
};

function encodeTool({ event }: HookCall, answer: HookAnswer): HookReply {
  const specific = (members: object): HookReply => say({ hookSpecificOutput: { hookEventName: event, ...members } });
  switch (answer.kind) {
    case 'pass':
      return silence;
    // Codex cannot ask for a hook.
    case 'ask':
    case 'deny':
      return specific({ permissionDecision: 'deny', permissionDecisionReason: answer.reason });
    // The box asks, outside of the agent.
    case 'rewrite':
      return specific({ permissionDecision: 'allow', updatedInput: answer.input });
    case 'replace':
      return say({ decision: 'block', reason: `${answer.note}\n${resultText(answer.result)}` });
  }
}

function encodePermission(answer: HookAnswer): HookReply {
  if (answer.kind !== 'deny' && answer.kind !== 'ask') return silence;
  return answer.kind === 'ask' ? silence : say({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: answer.reason } } });
}
