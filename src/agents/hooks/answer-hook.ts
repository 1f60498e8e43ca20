import { isHoldfastError } from '../../errors/index.ts';
import { actionOf } from './action-of.ts';
import { decideAction, type HookWorld } from './decide-action.ts';
import { claude } from './dialects/claude.ts';
import { codex } from './dialects/codex.ts';
import { gemini } from './dialects/gemini.ts';
import { opencode } from './dialects/opencode.ts';
import { block, say } from './dialects/reply.ts';
import { filterResult } from './filter-result.ts';
import { parseObject } from './json.ts';
import type { AgentName, Dialect, HookCall, HookReply } from './types.ts';

const dialects: Readonly<Record<AgentName, Dialect>> = { claude, codex, gemini, opencode };

/** Opens what decides, for the directory that the agent works in. */
export type OpenWorld = (cwd: string) => HookWorld;

/**
 * Answers one call of a hook, in the agent's own form. Never throws: whatever cannot be answered is refused, and the reply says why.
 */
export function answerHook(agent: AgentName, text: string, open: OpenWorld): HookReply {
  const dialect = dialects[agent];
  let call: HookCall | undefined;
  try {
    call = dialect.decode(parseObject(text));
    if (call.moment === 'after') return dialect.encode(call, filterResult(call));
    const action = actionOf(dialect.tools, call);
    // What has no effect asks for no policy, and goes on where the policy is broken.
    if (action.kind === 'inert') return dialect.encode(call, { kind: 'pass' });
    return dialect.encode(call, decideAction(open(call.cwd), action, call));
  } catch (error) {
    return refuse(agent, call, failureText(error));
  }
}

/** @throws nothing */
export function refuseCall(agent: AgentName, reason: string): HookReply {
  return refuse(agent, undefined, reason);
}

/** Codex takes a refusal before a tool as JSON, and our plug-in for OpenCode always; the others, and what was not understood, as an exit status. */
function refuse(agent: AgentName, call: HookCall | undefined, reason: string): HookReply {
  if (agent === 'opencode') return say({ decision: 'deny', reason });
  if (agent === 'codex' && call?.moment === 'before') return codex.encode(call, { kind: 'deny', reason });
  return block(reason);
}

function failureText(error: unknown): string {
  if (isHoldfastError(error)) return `Holdfast refuses: ${error.message}; to fix it: ${error.remedy} [${error.code}]`;
  return `Holdfast refuses: its hook failed: ${error instanceof Error ? error.message : String(error)}`;
}
