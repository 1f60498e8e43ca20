/**
 * Hooks of coding agents. Each hook call, in the agent's own form, becomes requests of the policy. The decision goes
 * back in the same form, and into the journal. A dialect is a file of `dialects/`, the tools of an agent a table of
 * `tools/`.
 *
 * Rules, boxes and settings of agents may not enter. An unknown tool, an unknown member of its input, and a field of
 * another type are refused. The caller makes no difference: it is a process of its own, or the server.
 */
import { isHoldfastError } from '../../errors/index.ts';
import { actionOf } from './action-of.ts';
import { block, decodeCall, geminiHooks, resultText, say, silence } from './dialects/gemini.ts';
import { settled, toolRequest } from './journal/settled.ts';
import { invalidCall, objectOf, parseObject, stringOf } from './json.ts';
import { claudeTools, inert } from './tools/claude.ts';
import type {
  AgentName,
  HookDialect,
  HookAnswer,
  HookCall,
  HookDecision,
  HookReply,
  JsonObject,
  ToolAction,
  ToolTable,
} from './types.ts';

/** Claude Code 2.1. Source: code.claude.com/docs/en/hooks, and the schemas in the program. */
const claude: HookDialect = {
  tools: claudeTools,
  decode: (message) =>
    decodeCall(message, { PreToolUse: 'before', PermissionRequest: 'permission', PostToolUse: 'after' }),
  encode: (call, answer) => (call.moment === 'permission' ? encodePermission(answer) : encodeTool(call, answer)),
};

/** Source: codex-cli 0.169.0. Its hooks call every command tool `Bash`. */
export const codexTools: ToolTable = {
  mcp: { start: 'mcp__', between: '__' },
  rows: {
    Bash: { kind: 'command', member: 'command', members: 'command description' },
    apply_patch: { kind: 'patch', member: 'command', members: 'command' },
    view_image: { kind: 'files', use: 'read', paths: 'path', members: 'path detail' },
    ...inert(
      'update_plan request_user_input spawn_agent Agent send_input send_message wait_agent wait close_agent resume_agent followup_task list_agents get_goal create_goal update_goal',
    ),
    // Codex's hooks use these names for tools that a model sees in a namespace.
    ...inert(
      'multi_agent_v1spawn_agent multi_agent_v1send_input multi_agent_v1wait_agent multi_agent_v1close_agent multi_agent_v1resume_agent',
    ),
  },
};

/**
 * Codex 0.169: Claude's events, without `ask`, and `allow` only with changed input. Source: `hooks/schema/generated` of
 * codex-rs.
 */
const codex: HookDialect = {
  tools: codexTools,
  decode: (message) =>
    decodeCall(message, { PreToolUse: 'before', PermissionRequest: 'permission', PostToolUse: 'after' }),
  encode: (call, answer) => (call.moment === 'permission' ? encodePermission(answer) : codexEncodeTool(call, answer)),
};

const moments: Readonly<Record<string, HookCall['moment']>> = {
  'tool.execute.before': 'before',
  'tool.execute.after': 'after',
};

/**
 * Source: the declarations that OpenCode 1.18.33 sends to a model. Names of MCP tools cannot be told from others, so
 * these go through `holdfast mcp`.
 */
export const opencodeTools: ToolTable = {
  rows: {
    bash: { kind: 'command', member: 'command', members: 'command timeout workdir description' },
    read: { kind: 'files', use: 'read', paths: 'filePath', members: 'filePath offset limit' },
    write: { kind: 'files', use: 'write', paths: 'filePath', members: 'filePath content' },
    edit: { kind: 'files', use: 'write', paths: 'filePath', members: 'filePath oldString newString replaceAll' },
    multiedit: { kind: 'files', use: 'write', paths: 'filePath', members: 'filePath edits' },
    apply_patch: { kind: 'patch', member: 'patchText', members: 'patchText' },
    patch: { kind: 'patch', member: 'patchText', members: 'patchText' },
    glob: { kind: 'files', use: 'tree', paths: 'path', patterns: 'pattern', members: 'pattern path' },
    grep: { kind: 'files', use: 'tree', paths: 'path', patterns: 'include', members: 'pattern path include' },
    list: { kind: 'files', use: 'tree', paths: 'path', members: 'path ignore' },
    webfetch: { kind: 'urls', urls: 'url', members: 'url format timeout' },
    lsp: { kind: 'refused', reason: 'it starts language servers outside of the box' },
    ...inert('skill task todowrite todoread question websearch codesearch plan_enter plan_exit invalid'),
  },
};

/** The protocol of our plug-in for OpenCode 1.18. OpenCode itself has functions and no protocol. */
const opencode: HookDialect = { tools: opencodeTools, decode, encode: (_call, answer) => encode(answer) };

const dialects: Readonly<Record<AgentName, HookDialect>> = { claude, codex, gemini: geminiHooks, opencode };

/** Decides about calls, and records the decisions. */
export interface HookHost {
  /** Rejects if the policy cannot be loaded. */
  readonly decide: (action: ToolAction, call: HookCall) => Promise<HookDecision>;
  /** Records a decision. `cwd` is undefined if the call was not understood. Throws if it cannot record. */
  readonly record: (decision: Pick<HookDecision, 'answer' | 'judged'>, cwd: string | undefined) => void;
}

/**
 * Answers one hook call in the agent's own form. Never rejects: a call that cannot be answered or journalled is
 * refused, and the reply says why.
 */
export async function answerHook(agent: AgentName, text: string, host: HookHost): Promise<HookReply> {
  const dialect = dialects[agent];
  let call: HookCall | undefined;
  try {
    call = dialect.decode(parseObject(text));
    if (call.moment === 'after') return dialect.encode(call, (await import('./filter-result.ts')).hookResult(call));
    const action = actionOf(dialect.tools, call);
    // An inert call needs no policy, so it passes even if the policy is broken.
    if (action.kind === 'inert') return dialect.encode(call, { kind: 'pass' });
    const decision = await host.decide(action, call);
    host.record(decision, call.cwd);
    return dialect.encode(call, decision.answer);
  } catch (error) {
    return refuse(agent, call, recorded(host, call, failureText(error)));
  }
}

/** Never throws. */
export function refuseHook(agent: AgentName, reason: string): HookReply {
  return refuse(agent, undefined, reason);
}

/** The call is refused anyway. A failure of the journal only adds to the reason. */
function recorded(host: HookHost, call: HookCall | undefined, reason: string): string {
  try {
    host.record(
      {
        answer: { kind: 'deny', reason },
        judged: [{ request: toolRequest({ tool: call?.tool ?? '' }), verdict: settled('deny', reason) }],
      },
      call?.cwd,
    );
    return reason;
  } catch (error) {
    return `${reason}; ${failureText(error)}`;
  }
}

/**
 * OpenCode's plug-in takes every refusal as JSON, and Codex takes one before a tool as JSON. All other refusals are an
 * exit status, also those of calls that were not understood.
 */
function refuse(agent: AgentName, call: HookCall | undefined, reason: string): HookReply {
  if (agent === 'opencode') return say({ decision: 'deny', reason });
  if (agent === 'codex' && call?.moment === 'before') return codex.encode(call, { kind: 'deny', reason });
  return block(reason);
}

function failureText(error: unknown): string {
  if (isHoldfastError(error)) return `Holdfast refuses: ${error.message}; to fix it: ${error.remedy} [${error.code}]`;
  return `Holdfast refuses: its hook failed: ${error instanceof Error ? error.message : String(error)}`;
}

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
      return specific({
        permissionDecision: answer.ask === undefined ? 'allow' : 'ask',
        permissionDecisionReason: answer.ask ?? 'Holdfast: it runs in the box',
        updatedInput: answer.input,
      });
    case 'replace':
      return specific({ updatedToolOutput: answer.result, additionalContext: answer.note });
  }
}

/** Returns only refusals. Everything else is left to the person who is being asked. */
function encodePermission(answer: HookAnswer): HookReply {
  if (answer.kind !== 'deny') return silence;
  return say({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: answer.reason } },
  });
}

function codexEncodeTool({ event }: HookCall, answer: HookAnswer): HookReply {
  const specific = (members: object): HookReply => say({ hookSpecificOutput: { hookEventName: event, ...members } });
  switch (answer.kind) {
    case 'pass':
      return silence;
    // A hook of Codex cannot ask.
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

function decode(message: JsonObject): HookCall {
  const event = stringOf(message, 'event');
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined;
  const cwd = stringOf(message, 'directory');
  if (moment === undefined || !cwd.startsWith('/')) throw invalidCall('the plug-in is of another version');
  return {
    moment,
    event,
    tool: stringOf(message, 'tool'),
    input: objectOf(message, 'args'),
    cwd,
    ...(moment === 'after' ? { result: stringOf(message, 'output') } : {}),
  };
}

/** `decision` is always set: an answer without it is invalid. */
function encode(answer: HookAnswer): HookReply {
  switch (answer.kind) {
    case 'pass':
      return say({ decision: 'allow' });
    case 'ask':
    case 'deny':
      return say({ decision: 'deny', reason: answer.reason });
    case 'rewrite':
      return say({ decision: 'allow', args: answer.input });
    case 'replace':
      return say({ decision: 'allow', output: `${answer.note}\n${resultText(answer.result)}` });
  }
}
