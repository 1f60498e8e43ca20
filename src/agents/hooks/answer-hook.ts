import { isHoldfastError } from '../../errors/index.ts';
import { actionOf } from './action-of.ts';
import { claude } from './dialects/claude.ts';
import { codex } from './dialects/codex.ts';
import { gemini } from './dialects/gemini.ts';
import { opencode } from './dialects/opencode.ts';
import { block, say } from './dialects/reply.ts';
import { settled, toolRequest } from './journal/settled.ts';
import { parseObject } from './json.ts';
import type { AgentName, Dialect, HookCall, HookDecision, HookReply, ToolAction } from './types.ts';

const dialects: Readonly<Record<AgentName, Dialect>> = { claude, codex, gemini, opencode };

/** What a hook is answered with. */
export interface HookHost {
  /** Rejects where the policy cannot be had. */
  readonly decide: (action: ToolAction, call: HookCall) => Promise<HookDecision>;
  /** Keeps what was decided; `cwd` is undefined where the call was not understood. Throws where it cannot. */
  readonly record: (decision: Pick<HookDecision, 'answer' | 'judged'>, cwd: string | undefined) => void;
}

/**
 * Answers one call of a hook, in the agent's own form. Never rejects: whatever cannot be answered, or not be kept in the journal, is
 * refused, and the reply says why.
 */
export async function answerHook(agent: AgentName, text: string, host: HookHost): Promise<HookReply> {
  const dialect = dialects[agent];
  let call: HookCall | undefined;
  try {
    call = dialect.decode(parseObject(text));
    if (call.moment === 'after') return dialect.encode(call, (await import('./filter-result.ts')).filterResult(call));
    const action = actionOf(dialect.tools, call);
    // What has no effect asks for no policy, and goes on where the policy is broken.
    if (action.kind === 'inert') return dialect.encode(call, { kind: 'pass' });
    const decision = await host.decide(action, call);
    host.record(decision, call.cwd);
    return dialect.encode(call, decision.answer);
  } catch (error) {
    return refuse(agent, call, recorded(host, call, failureText(error)));
  }
}

/** @throws nothing */
export function refuseCall(agent: AgentName, reason: string): HookReply {
  return refuse(agent, undefined, reason);
}

/** It is refused in any case: a journal that cannot be written to only adds to why. */
function recorded(host: HookHost, call: HookCall | undefined, reason: string): string {
  try {
    host.record({ answer: { kind: 'deny', reason }, judged: [{ request: toolRequest({ tool: call?.tool ?? '' }), verdict: settled('deny', reason) }] }, call?.cwd);
    return reason;
  } catch (error) {
    return `${reason}; ${failureText(error)}`;
  }
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
