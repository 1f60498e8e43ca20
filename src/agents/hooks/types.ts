import type { PolicyRequest } from '../../policy/request.ts';
import type { JournalledVerdict } from '../../policy/verdict.ts';

export const agentNames = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type AgentName = (typeof agentNames)[number];

export type JsonObject = Readonly<Record<string, unknown>>;

/** One hook call of any agent. */
export interface HookCall {
  /** `before`: a tool is about to run. `permission`: the agent asks for a permission. `after`: the tool has run. */
  readonly moment: 'before' | 'permission' | 'after';
  /** The agent's own name of the event. */
  readonly event: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** The agent's working directory, as an absolute path. */
  readonly cwd: string;
  /** The MCP server and tool, if the agent names them separately. */
  readonly mcp?: McpName;
  /** Result of the tool, for `after`. */
  readonly result?: unknown;
}

export interface McpName {
  readonly server: string;
  readonly tool: string;
}

/** The action that a tool is about to take, in the policy's words. */
export type ToolAction =
  /** A text for a shell. `member` is its place in the input. */
  | { readonly kind: 'command'; readonly text: string; readonly member: string }
  /** Accesses that the agent itself makes, outside of any box. */
  | { readonly kind: 'access'; readonly requests: readonly PolicyRequest[] }
  /** A tool of an MCP server, in every reading of its name. */
  | { readonly kind: 'mcp'; readonly requests: readonly PolicyRequest[] }
  /** No effect outside of the agent: plans, questions, subagents. The tools of a subagent have their own calls. */
  | { readonly kind: 'inert' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The answer to a call. */
export type HookAnswer =
  /** No answer: the agent goes on as without a hook, with its own questions. */
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string }
  /** The tool runs with changed input. `ask`: only after a person has agreed. */
  | { readonly kind: 'rewrite'; readonly input: JsonObject; readonly ask?: string }
  /** For `after`: the text that the model reads instead of the result. */
  | { readonly kind: 'replace'; readonly result: unknown; readonly note: string };

/** The answer to a call, and the verdicts behind it. */
export interface HookDecision {
  readonly answer: HookAnswer;
  readonly judged: readonly JudgedRequest[];
  /**
   * `texts`: the decision depends only on the call, the place and the policy's texts, so the same ones give the same
   * decision. `machine`: it also depends on the current state of the host.
   */
  readonly follows: 'texts' | 'machine';
}

export interface JudgedRequest {
  readonly request: PolicyRequest;
  readonly verdict: JournalledVerdict;
}

/** The reply of the hook's process to the agent. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  /** 2 blocks in every dialect. Any status but 0 and 2 would let the tool run. */
  readonly status: 0 | 2;
}

/** The protocol of one agent. */
export interface HookDialect {
  /** @throws HoldfastError `HF_HOOK_INVALID` for a message that is not a call of this agent. */
  decode(message: JsonObject): HookCall;
  encode(call: HookCall, answer: HookAnswer): HookReply;
  readonly tools: ToolTable;
}

/** The tools of an agent, and the effect of each. An unlisted tool is refused. */
export interface ToolTable {
  readonly rows: Readonly<Record<string, ToolRow>>;
  /**
   * Prefix of MCP tool names, and separator between server and tool. Undefined if these names cannot be told from
   * others.
   */
  readonly mcp?: { readonly start: string; readonly between: string };
}

/** `members`: all valid members of the input, in one text. An unlisted member could change the tool's effect. */
export type ToolRow =
  | { readonly kind: 'command'; readonly member: string; readonly members: string }
  /** `tree`: reads below a directory. Default: `cwd`. `paths` and `patterns` are members of the input. */
  | {
      readonly kind: 'files';
      readonly use: 'read' | 'write' | 'tree';
      readonly paths: string;
      readonly patterns?: string;
      readonly members: string;
    }
  /** One URL as a member of the input, and all URLs in the text of another member. */
  | { readonly kind: 'urls'; readonly urls: string; readonly prose?: string; readonly members: string }
  | { readonly kind: 'patch'; readonly member: string; readonly members: string }
  | { readonly kind: 'inert' }
  | { readonly kind: 'refused'; readonly reason: string };
