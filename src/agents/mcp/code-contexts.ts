import { HoldfastError, type CodeContext, type CodeContextOptions, type CodeLanguage, type Sandbox } from '../../sandbox/index.ts';

/** Interpreters that one client may have. */
const most = 8;

/** The interpreters that a client has given names. They end with its sandbox. */
export class CodeContexts {
  readonly #sandbox: Pick<Sandbox, 'code'>;
  readonly #contexts = new Map<string, Promise<CodeContext>>();

  constructor(sandbox: Pick<Sandbox, 'code'>) {
    this.#sandbox = sandbox;
  }

  /** The one of that name and language: a new one where there is none, or where it is wanted `anew`. Throws `HF_USAGE` when there are too many. */
  async get(name: string, options: CodeContextOptions, how: 'same' | 'anew'): Promise<CodeContext> {
    const key = keyOf(name, options.language);
    const known = this.#contexts.get(key);
    if (known === undefined) return this.#open(key, options);
    const context = await known;
    if (how === 'anew') await context.restart();
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
    if (this.#contexts.size >= most) throw new HoldfastError('HF_USAGE', `there are ${most} sessions of run_code`, { remedy: 'end one of them' });
    const opened = this.#sandbox.code.createContext(options);
    this.#contexts.set(key, opened);
    opened.catch(() => this.#contexts.delete(key));
    return opened;
  }
}

function keyOf(name: string, language: CodeLanguage): string {
  return `${language} ${name}`;
}
