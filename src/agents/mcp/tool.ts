import type { GenericSchema } from 'valibot';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import type { CodeContexts } from './code-contexts.ts';
import type { LatelyRefused } from './lately-refused.ts';

/** What a tool may use while it answers one call. */
export interface ToolContext {
  readonly sandbox: Sandbox;
  /** What the sandbox was made from. */
  readonly options: SandboxOptions & Required<Pick<SandboxOptions, 'cwd' | 'environment'>>;
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** Tells the client what was printed so far; absent where it did not ask for that. */
  readonly progress: ((chunk: Buffer) => void) | undefined;
  readonly refused: LatelyRefused;
  /** Interpreters that go on between calls. */
  readonly contexts: CodeContexts;
  /** Runs work that reads files and writes them again after all that came before it. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** A picture that a client may show. */
export interface ToolImage {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export interface ToolAnswer<Output> {
  /** For a model that is shown one text. */
  readonly text: string;
  /** For programs, and for clients that show it to the model. */
  readonly structured: Output;
  /** Default: none. */
  readonly images?: readonly ToolImage[];
}

/** As in the protocol: hints for the client's own prompts. Nothing here is decided by them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Of an object without further keys. */
  readonly input: GenericSchema;
  readonly output: GenericSchema;
  /** `input` was checked. Rejects with what the client is told as a failure. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolAnswer<object>>;
}

interface TypedTool<Input, Output> extends Omit<Tool, 'input' | 'output' | 'run'> {
  readonly input: GenericSchema<unknown, Input>;
  readonly output: GenericSchema<Output>;
  readonly run: (input: Input, context: ToolContext) => Promise<ToolAnswer<Output>>;
}

export function defineTool<Input, Output extends object>(tool: TypedTool<Input, Output>): Tool {
  return { ...tool, run: (input, context) => tool.run(input as Input, context) };
}

export const readsOnly: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const changesFiles: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
