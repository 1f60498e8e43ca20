import type { GenericSchema } from 'valibot';
import {
  type CodeContext,
  type CodeContextOptions,
  type CodeLanguage,
  type FilePath,
  type Files,
  HoldfastError,
  type Sandbox,
  type SandboxOptions,
} from '../../sandbox/index.ts';
import type { RefusalFacts } from './tools/refusal-facts.ts';

/** The parts that a tool may use for one call. */
export interface ToolContext {
  readonly sandbox: Sandbox;
  /** Options of the sandbox. */
  readonly options: SandboxOptions & Required<Pick<SandboxOptions, 'cwd' | 'environment'>>;
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** Reports output to the client. Undefined if the client did not ask for it. */
  readonly progress: ((chunk: Buffer) => void) | undefined;
  readonly refused: LatelyRefused;
  /** Interpreters that outlive a call. */
  readonly contexts: CodeContexts;
  /** Runs work that reads and rewrites files after all earlier work of that kind. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** A picture that a client may show. */
export interface ToolImage {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export interface ToolAnswer<Output> {
  /** Text for a model that sees only this. */
  readonly text: string;
  /** Data for programs, and for clients that show it to the model. */
  readonly structured: Output;
  /** Default: none. */
  readonly images?: readonly ToolImage[];
}

/** Hints of the protocol for the client's own prompts. Nothing here depends on them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Schema of an object without further keys. */
  readonly input: GenericSchema;
  readonly output: GenericSchema;
  /** Runs the tool with checked `input`. Rejects with the failure that the client gets. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolAnswer<object>>;
}

interface TypedTool<Input, Output> extends Omit<McpTool, 'input' | 'output' | 'run'> {
  readonly input: GenericSchema<unknown, Input>;
  readonly output: GenericSchema<Output>;
  readonly run: (input: Input, context: ToolContext) => Promise<ToolAnswer<Output>>;
}

export function defineTool<Input, Output extends object>(tool: TypedTool<Input, Output>): McpTool {
  return { ...tool, run: (input, context) => tool.run(input as Input, context) };
}

export const readsOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const changesFiles: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Bytes of a file that is edited as a whole. */
const largest = 16 * 1024 * 1024;

/** Returns the content of a file that is small enough for memory. */
export async function readWhole(files: Pick<Files, 'read'>, path: FilePath): Promise<Buffer> {
  const bytes = await files.read(path, { length: largest + 1 });
  if (bytes.length <= largest) return bytes;
  throw new HoldfastError('HF_USAGE', `the file has more than ${largest} bytes`, {
    remedy: 'edit it with a program, through bash',
  });
}

interface TimedRefusal extends RefusalFacts {
  /** ISO 8601. */
  readonly time: string;
}

const most = 100;

/**
 * Refusals of this session's commands, as far as their output tells, newest first. The journal has only those that a
 * rule enforced.
 */
export class LatelyRefused {
  readonly #refusals: TimedRefusal[] = [];

  add(refusals: readonly RefusalFacts[]): void {
    const time = new Date().toISOString();
    this.#refusals.unshift(...refusals.map((refusal) => ({ time, ...refusal })));
    this.#refusals.splice(most);
  }

  /** Returns these refusals and the journal's, each once. */
  with(journal: readonly TimedRefusal[]): readonly TimedRefusal[] {
    const all = [...this.#refusals, ...journal].toSorted((a, b) => (a.time < b.time ? 1 : -1));
    const seen = new Set<string>();
    return all.filter(({ request }) => !seen.has(request) && seen.add(request));
  }
}

/** Interpreters that one client may have. */
const codeContextsMost = 8;

/** Interpreters that a client has named. They end with its sandbox. */
export class CodeContexts {
  readonly #sandbox: Pick<Sandbox, 'code'>;
  readonly #contexts = new Map<string, Promise<CodeContext>>();

  constructor(sandbox: Pick<Sandbox, 'code'>) {
    this.#sandbox = sandbox;
  }

  /**
   * Returns the interpreter of this name and language. Makes a missing one, and a new one if `again`. Throws `HF_USAGE`
   * for too many.
   */
  async get(name: string, options: CodeContextOptions, how: 'same' | 'again'): Promise<CodeContext> {
    const key = keyOf(name, options.language);
    const known = this.#contexts.get(key);
    if (known === undefined) return this.#open(key, options);
    const context = await known;
    if (how === 'again') await context.restart(options);
    return context;
  }

  /** Ends an interpreter. A missing one has ended already. */
  async end(name: string, language: CodeLanguage): Promise<void> {
    const key = keyOf(name, language);
    const context = await this.#contexts.get(key);
    this.#contexts.delete(key);
    await context?.close();
  }

  #open(key: string, options: CodeContextOptions): Promise<CodeContext> {
    if (this.#contexts.size >= codeContextsMost)
      throw new HoldfastError('HF_USAGE', `there are ${codeContextsMost} sessions of run_code`, {
        remedy: 'end one of them',
      });
    const opened = this.#sandbox.code.createContext(options);
    this.#contexts.set(key, opened);
    opened.catch(() => this.#contexts.delete(key));
    return opened;
  }
}

function keyOf(name: string, language: CodeLanguage): string {
  return `${language} ${name}`;
}
