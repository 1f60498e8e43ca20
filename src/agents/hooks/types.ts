import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';

export const agentNames = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type AgentName = (typeof agentNames)[number];

export type JsonObject = Readonly<Record<string, unknown>>;

/** One call of a hook, no matter who calls. */
export interface HookCall {
  /** `before` a tool runs, when a `permission` is asked for, and `after` it has run. */
  readonly moment: 'before' | 'permission' | 'after';
  /** The agent's own name of the event. */
  readonly event: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Where the agent works; absolute. */
  readonly cwd: string;
  /** Where the agent itself says which tool of which MCP server it is. */
  readonly mcp?: McpName;
  /** After: what the tool gave back. */
  readonly result?: unknown;
}

export interface McpName {
  readonly server: string;
  readonly tool: string;
}

/** What a tool is about to do, in the policy's words. */
export type ToolAction =
  /** A text for a shell. `member` is where it stands in the input. */
  | { readonly kind: 'command'; readonly text: string; readonly member: string }
  /** Something that the agent does itself, outside of any box. */
  | { readonly kind: 'access'; readonly requests: readonly PolicyRequest[] }
  /** A tool of an MCP server, in every way that its name can be read. */
  | { readonly kind: 'mcp'; readonly requests: readonly PolicyRequest[] }
  /** Nothing outside of the agent: plans, questions, subagents, whose tools are asked about in their turn. */
  | { readonly kind: 'inert' }
  | { readonly kind: 'refused'; readonly reason: string };

/** What becomes of a call. */
export type HookAnswer =
  /** Nothing is said: the agent goes on as it would without a hook, its own questions included. */
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string }
  /** The tool runs with another input. `ask`: once a person has agreed. */
  | { readonly kind: 'rewrite'; readonly input: JsonObject; readonly ask?: string }
  /** After: what the model reads instead of the result. */
  | { readonly kind: 'replace'; readonly result: unknown; readonly note: string };

/** What becomes of a call, and what was decided on the way. */
export interface HookDecision {
  readonly answer: HookAnswer;
  readonly judged: readonly JudgedRequest[];
  /**
   * `texts`: of the call, the place and the texts of its policy alone, so that the same ones give the same decision.
   * `machine`: also of what the host is now.
   */
  readonly follows: 'texts' | 'machine';
}

export interface JudgedRequest {
  readonly request: PolicyRequest;
  readonly verdict: Pick<Verdict, 'decision' | 'code' | 'rule' | 'layer' | 'file' | 'line' | 'message' | 'remedy'>;
}

/** What the hook's process gives the agent. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  /** 2 blocks in every dialect; another one than 0 and 2 would let the tool run. */
  readonly status: 0 | 2;
}

/** How one agent speaks. */
export interface HookDialect {
  /** @throws HoldfastError `HF_HOOK_INVALID` for what is no call of this agent. */
  decode(message: JsonObject): HookCall;
  encode(call: HookCall, answer: HookAnswer): HookReply;
  readonly tools: ToolTable;
}

/** Which tools an agent has, and what each does. A tool that is not listed is refused. */
export interface ToolTable {
  readonly rows: Readonly<Record<string, ToolRow>>;
  /**
   * What the names of MCP tools begin with, and what stands between server and tool. Absent: they cannot be told from
   * others.
   */
  readonly mcp?: { readonly start: string; readonly between: string };
}

/** `members`: all that an input may have, in one text. One that is not listed could change what the tool does. */
export type ToolRow =
  | { readonly kind: 'command'; readonly member: string; readonly members: string }
  /**
   * `tree`: reads below a directory, which is `cwd` where none is given. `paths` and `patterns` are members of the
   * input.
   */
  | {
      readonly kind: 'files';
      readonly use: 'read' | 'write' | 'tree';
      readonly paths: string;
      readonly patterns?: string;
      readonly members: string;
    }
  /** One URL as a member of the input, and whatever URLs are in the text of another one. */
  | { readonly kind: 'urls'; readonly urls: string; readonly prose?: string; readonly members: string }
  | { readonly kind: 'patch'; readonly member: string; readonly members: string }
  | { readonly kind: 'inert' }
  | { readonly kind: 'refused'; readonly reason: string };
