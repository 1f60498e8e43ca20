import { createHash } from 'node:crypto';
import { appendEvents } from '../audit/index.ts';
import { HoldfastError } from '../errors/index.ts';
import type { KeptPart } from '../session/commands/kept.ts';
import { checkTime, type CommandEnd, endsEarly } from '../session/commands/command-handle.ts';
import type { Session } from '../session/session.ts';
import type { Reader } from '../session/shown-output.ts';
import { escapeHidden } from '../text/index.ts';
import type { CodeExecution } from './code-execution.ts';
import { changedFiles, fileStates, type FileStates } from './changed-files.ts';
import { describeEnd, execution, HeardOutput, type Ran } from './execution.ts';
import type { ScriptInterpreter } from './interpreter.ts';
import { type CodeLanguage, languages } from './languages.ts';
import { type CodeContextOptions, type CodeParts, startInterpreter } from './start-interpreter.ts';

export interface CodeRunOptions {
  /**
   * Milliseconds after which the run is interrupted. Python, JavaScript and TypeScript get SIGINT. If that has no
   * effect, or for a shell, the interpreter is ended. Default: only the policy's limit applies.
   */
  readonly timeoutMs?: number;
  /** Interrupts the run when aborted, in the same way. */
  readonly signal?: AbortSignal;
  /**
   * Reader of the result's texts. Terminal sequences and invisible characters are removed for this reader. Default:
   * texts are not filtered.
   */
  readonly show?: Reader;
  /** Most bytes to keep of each of `stdout` and `stderr`. Default: 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Which bytes to keep, as for `commands.run`. Default: `start`. */
  readonly keep?: KeptPart;
  /** Called with output as it arrives. */
  readonly onOutput?: (chunk: Buffer) => void;
  /**
   * File patterns, relative to the context's start directory. The result includes matching files that the run created
   * or changed. Default: none.
   */
  readonly artifacts?: readonly string[];
}

export type CodeContextState = 'ready' | 'running' | 'ended';

/** Most bytes of one text. */
const longestSource = 4 << 20;
const defaultOutput = 1 << 20;
/** Milliseconds for an interpreter to end after its input has ended. */
const grace = 2000;
const defaultGrace = 5000;

/**
 * An interpreter in one box. Definitions of one text remain for the next, and texts run one after the other. It is a
 * command of its sandbox and ends with the sandbox, as do the programs that it has started.
 */
export class CodeContext implements AsyncDisposable {
  readonly language: CodeLanguage;
  readonly #parts: CodeParts;
  #options: CodeContextOptions;
  #interpreter: ScriptInterpreter;
  /** Policy layers that were in force when the interpreter started. */
  #ceilings: number;
  #end: CommandEnd | HoldfastError | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** Serialised, because of two restarts at once, one interpreter would be left without an owner. */
  #restarts: Promise<unknown> = Promise.resolve();
  #running = 0;
  #count = 0;

  /** Use `sandbox.code.createContext`. */
  private constructor(parts: CodeParts, options: CodeContextOptions, { interpreter, ceilings }: Started) {
    this.#parts = parts;
    this.#options = options;
    this.language = options.language;
    this.#ceilings = ceilings;
    this.#interpreter = this.#watch(interpreter);
  }

  static async open(parts: CodeParts, options: CodeContextOptions): Promise<CodeContext> {
    checkTime({ timeoutMs: options.graceMs ?? defaultGrace });
    const { signal: _ofTheStart, ...rest } = options;
    return new CodeContext(parts, rest, await started(parts, options));
  }

  get state(): CodeContextState {
    return this.#end !== undefined ? 'ended' : this.#running > 0 ? 'running' : 'ready';
  }

  /**
   * Runs a text after all earlier ones. If the code throws or the interpreter ends, this is part of the result. Rejects
   * with `HF_CODE_ENDED` if the interpreter had ended before, or the policy was narrowed since. Rejects with
   * `HF_CODE_PROTOCOL` for invalid answers, and with `HF_USAGE` for an invalid text or limit.
   *
   * @example await context.run('import math; radius = 2'); const { results } = await context.run('math.pi * radius **
   * 2'); console.log(results.at(-1)?.text);
   */
  async run(source: string, options: CodeRunOptions = {}): Promise<CodeExecution> {
    check(this.language, source, options);
    this.#running += 1;
    const turn = this.#turn.then(() => this.#run(source, options)).finally(() => (this.#running -= 1));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the interpreter, if it has not ended, and starts a fresh one. Default of `cwd`: the last interpreter's. */
  restart(options: Pick<CodeContextOptions, 'cwd'> = {}): Promise<void> {
    const restarted = this.#restarts.then(() => this.#restart(options));
    this.#restarts = restarted.catch(() => undefined);
    return restarted;
  }

  async #restart({ cwd }: Pick<CodeContextOptions, 'cwd'>): Promise<void> {
    await this.#finish();
    if (cwd !== undefined) this.#options = { ...this.#options, cwd };
    const { interpreter, ceilings } = await started(this.#parts, this.#options);
    this.#end = undefined;
    this.#ceilings = ceilings;
    this.#interpreter = this.#watch(interpreter);
  }

  /** Ends the interpreter and its programs. First ends its input, so that it can exit. */
  async close(): Promise<CommandEnd> {
    await this.#restarts;
    return this.#finish();
  }

  async #finish(): Promise<CommandEnd> {
    const interpreter = this.#interpreter;
    const timer = setTimeout(() => interpreter.kill('SIGKILL'), this.#running > 0 ? 0 : grace);
    interpreter.finish();
    try {
      return await interpreter.gone;
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(source: string, options: CodeRunOptions): Promise<CodeExecution> {
    options.signal?.throwIfAborted();
    if (this.#end !== undefined) throw hasEnded(this.language, this.#end);
    this.#refuseWider();
    const { artifacts = [] } = options;
    const before = await this.#states(artifacts);
    const ran = await this.#ask(source, options);
    const changed = changedFiles(before, await this.#states(artifacts));
    return execution({ ...this.#parts, options: this.#options, show: options.show }, ran, changed);
  }

  async #states(patterns: readonly string[]): Promise<FileStates> {
    return patterns.length === 0
      ? { states: new Map(), searched: 'whole' }
      : fileStates(this.#parts.files, patterns, this.#options.cwd ?? '.');
  }

  async #ask(source: string, options: CodeRunOptions): Promise<Ran> {
    options.signal?.throwIfAborted();
    const interpreter = this.#interpreter;
    const output = heard(options);
    let settle = (): void => undefined;
    const early = endsEarly(
      () => (settle(), (settle = interpreter.interrupt(this.#options.graceMs ?? defaultGrace))),
      options,
    );
    try {
      this.#count += 1;
      noteCode(this.#parts.session, { command: interpreter.id, language: this.language, source });
      const answered = await interpreter.ask(
        { source, language: this.language, name: `cell-${this.#count}.${languages[this.language].extension}` },
        { stdout: output.stdout.push, stderr: output.stderr.push },
      );
      return { ...answered, ...output, early: early() };
    } finally {
      early();
      settle();
    }
  }

  /** New code has to obey the current policy, but a running box cannot be restricted further. */
  #refuseWider(): void {
    if (this.#parts.session.ceilings.length === this.#ceilings) return;
    throw new HoldfastError('HF_CODE_ENDED', `the policy was narrowed after the ${this.language} context started`, {
      remedy: 'restart it, which clears its definitions, or use another context',
    });
  }

  #watch(interpreter: ScriptInterpreter): ScriptInterpreter {
    interpreter.gone.then(
      (end) => (this.#end = end),
      (error: HoldfastError) => (this.#end = error),
    );
    return interpreter;
  }
}

interface Started {
  readonly interpreter: ScriptInterpreter;
  readonly ceilings: number;
}

async function started(parts: CodeParts, options: CodeContextOptions): Promise<Started> {
  const ceilings = parts.session.ceilings.length;
  return { ceilings, interpreter: await startInterpreter(parts, options) };
}

function heard({ show, keep, onOutput, maxOutputBytes: limit = defaultOutput }: CodeRunOptions) {
  return {
    stdout: new HeardOutput({ show, keep, onOutput, limit }),
    stderr: new HeardOutput({ show, keep, onOutput, limit }),
  };
}

function check(language: CodeLanguage, source: string, options: CodeRunOptions): void {
  checkTime(options);
  if (!((options.maxOutputBytes ?? 0) >= 0))
    throw new HoldfastError('HF_USAGE', `maxOutputBytes cannot be ${options.maxOutputBytes}`, {
      remedy: 'use a number of bytes',
    });
  if (Buffer.byteLength(source) > longestSource)
    throw new HoldfastError('HF_USAGE', `the code has more than ${longestSource} bytes`, {
      remedy: 'write it to a file, and run that',
    });
  if (language === 'shell' && source.includes('\0'))
    throw new HoldfastError('HF_USAGE', 'a text for a shell contains a NUL', { remedy: 'leave it out' });
}

function hasEnded(language: CodeLanguage, end: CommandEnd | HoldfastError): HoldfastError {
  const how = end instanceof HoldfastError ? end.message : describeEnd(end);
  return new HoldfastError('HF_CODE_ENDED', `the ${language} context has ended: ${how}`, {
    remedy: 'restart it, which clears its definitions, or use another context',
    details: end instanceof HoldfastError ? {} : { exitCode: end.exitCode, signal: end.signal, ending: end.ending },
  });
}

interface NotedCode {
  /** ID of the command that runs the interpreter. */
  readonly command: string;
  readonly language: string;
  readonly source: string;
}

/** Most characters of the text itself in the journal. */
const longestStart = 200;

/** Runs before the text: code that cannot be journalled does not run. Throws the errors of `appendEvents`. */
function noteCode({ id, place }: Pick<Session, 'id' | 'place'>, { command, language, source }: NotedCode): void {
  const sha256 = createHash('sha256').update(source).digest('hex');
  appendEvents(place.paths.journal, [
    {
      type: 'code.run',
      session: id,
      workspace: place.workspace.root,
      command,
      language,
      sha256,
      bytes: Buffer.byteLength(source),
      start: escapeHidden(source.slice(0, longestStart), 'lines'),
    },
  ]);
}
