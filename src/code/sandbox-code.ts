import { HoldfastError } from '../errors/index.ts';
import { withNews } from '../place/refusals/refusal.ts';
import type { CodeContext, CodeRunOptions } from './code-context.ts';
import type { CodeExecution } from './code-execution.ts';
import type { CodeContextOptions, CodeParts } from './start-interpreter.ts';

/** Runs code in a new context, which ends afterwards, or in an existing one. */
export type RunCodeOptions = CodeRunOptions &
  ((CodeContextOptions & { readonly context?: never }) | { readonly context: CodeContext });

/** Runs code of a model or a person in boxes, with the boxes' own interpreters. */
export class SandboxCode {
  readonly #parts: CodeParts;
  readonly #contexts = new WeakSet<CodeContext>();

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  /**
   * Runs a text. Returns the value of its last expression, its displayed values, its output, its exception, and files
   * that it made. Throws the errors of `createContext` and of `run` of a context, and `HF_USAGE` for a context of
   * another sandbox.
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
      // Refusals and quarantined files are complete only once the box has ended.
      const { refusals, quarantined } = await context.close();
      return { ...execution, refusals: withNews(refusals, execution.refusals), quarantined };
    } finally {
      await context.close();
    }
  }

  /**
   * Starts an interpreter in a box of its own, which keeps definitions of earlier texts. The caller closes it, or the
   * sandbox. Throws `HF_INTERPRETER_MISSING` if the box has none, and the errors of `commands.start`.
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

  /** A context of another sandbox has the other sandbox's policy. */
  #own(context: CodeContext): CodeContext {
    if (this.#contexts.has(context)) return context;
    throw new HoldfastError('HF_USAGE', 'this context belongs to another sandbox', {
      remedy: 'use a context that `createContext` of this sandbox returned',
    });
  }
}
