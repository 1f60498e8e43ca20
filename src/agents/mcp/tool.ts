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

export interface McpTool {
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

/** The content of a file that is small enough to be held. */
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
 * What commands of this session were refused as far as their output tells, newest first: the journal has only what was
 * enforced by a rule.
 */
export class LatelyRefused {
  readonly #refusals: TimedRefusal[] = [];

  add(refusals: readonly RefusalFacts[]): void {
    const time = new Date().toISOString();
    this.#refusals.unshift(...refusals.map((refusal) => ({ time, ...refusal })));
    this.#refusals.splice(most);
  }

  /** Those and what the journal has, each once. */
  with(journal: readonly TimedRefusal[]): readonly TimedRefusal[] {
    const all = [...this.#refusals, ...journal].toSorted((a, b) => (a.time < b.time ? 1 : -1));
    const seen = new Set<string>();
    return all.filter(({ request }) => !seen.has(request) && seen.add(request));
  }
}

/** Interpreters that one client may have. */
const codeContextsMost = 8;

/** The interpreters that a client has given names. They end with its sandbox. */
export class CodeContexts {
  readonly #sandbox: Pick<Sandbox, 'code'>;
  readonly #contexts = new Map<string, Promise<CodeContext>>();

  constructor(sandbox: Pick<Sandbox, 'code'>) {
    this.#sandbox = sandbox;
  }

  /**
   * The one of that name and language: a new one where there is none, or where it is wanted `again`. Throws `HF_USAGE`
   * when there are too many.
   */
  async get(name: string, options: CodeContextOptions, how: 'same' | 'again'): Promise<CodeContext> {
    const key = keyOf(name, options.language);
    const known = this.#contexts.get(key);
    if (known === undefined) return this.#open(key, options);
    const context = await known;
    if (how === 'again') await context.restart(options);
    return context;
  }

  /** One that is not there has ended. */
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
