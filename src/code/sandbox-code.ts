import { HoldfastError } from '../errors/index.ts';
import { withNews } from '../place/refusals/refusal.ts';
import type { CodeContext, CodeRunOptions } from './code-context.ts';
import type { CodeExecution } from './code-execution.ts';
import type { CodeContextOptions, CodeParts } from './start-interpreter.ts';

/** In a context of its own, which ends with it; or in one that is there. */
export type RunCodeOptions = CodeRunOptions &
  ((CodeContextOptions & { readonly context?: never }) | { readonly context: CodeContext });

/** Code of a model or a person, run in boxes by the interpreters that are there. */
export class SandboxCode {
  readonly #parts: CodeParts;
  readonly #contexts = new WeakSet<CodeContext>();

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  /**
   * Runs a text and gives the value of its last expression, what it has shown and printed, what it threw, and files
   * that it made. Throws what `createContext` and `run` of a context throw, and `HF_USAGE` for a context of another
   * sandbox.
   *
   * @example
   * const { results, error } = await sandbox.code.run('[n * n for n in range(5)]', { language: 'python', timeoutMs:
   * 10_000 }); console.log(results.at(-1)?.json, error?.message);
   */
  async run(source: string, options: RunCodeOptions): Promise<CodeExecution> {
    if (options.context !== undefined) return this.#own(options.context).run(source, options);
    const context = await this.createContext(options);
    try {
      const execution = await context.run(source, options);
      // What the policy refused and moved away is told whole when the box is gone.
      const { refusals, quarantined } = await context.close();
      return { ...execution, refusals: withNews(refusals, execution.refusals), quarantined };
    } finally {
      await context.close();
    }
  }

  /**
   * Starts an interpreter that keeps what texts define, in a box of its own. Anyone who has it closes it, or the
   * sandbox. Throws `HF_INTERPRETER_MISSING` where the box has none, and what `commands.start` throws.
   *
   * @example
   * await using context = await sandbox.code.createContext({ language: 'typescript' });
   * await context.run('const answer: number = 42');
   */
  async createContext(options: CodeContextOptions): Promise<CodeContext> {
    const { CodeContext: Context } = await import('./code-context.ts');
    const context = await Context.open(this.#parts, options);
    this.#contexts.add(context);
    return context;
  }

  /** One of another sandbox has that one's policy. */
  #own(context: CodeContext): CodeContext {
    if (this.#contexts.has(context)) return context;
    throw new HoldfastError('HF_USAGE', "this context is another sandbox's", {
      remedy: 'use a context that `createContext` of this one has given',
    });
  }
}
