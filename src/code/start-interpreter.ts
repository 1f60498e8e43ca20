import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import type { Files } from '../files/index.ts';
import { present } from '../text/index.ts';
import type { CommandHandle } from '../session/commands/command-handle.ts';
import type { Commands } from '../session/commands.ts';
import type { Session } from '../session/session.ts';
import { ScriptInterpreter } from './interpreter.ts';
import { languages, type CodeLanguage, type LanguagePreset } from './languages.ts';

/** The parts of a session that contexts need. */
export interface CodeParts {
  readonly session: Session;
  readonly commands: Commands;
  readonly files: Files;
}

export interface CodeContextOptions {
  readonly language: CodeLanguage;
  /** Absolute path inside the box. Default: the sandbox's directory. */
  readonly cwd?: string;
  /** Variables to add to those that the policy allows. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds that interrupted code may take, before its interpreter is ended. Default: 5000. */
  readonly graceMs?: number;
  /** Cancels the start when aborted. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for a program to answer, once it has been allowed. It may take twice this long. */
const patience = 60_000;

/**
 * Starts the first program of the language that exists and runs an empty text. Throws `HF_INTERPRETER_MISSING`, and the
 * errors of a refused or failed command.
 */
export async function startInterpreter(parts: CodeParts, options: CodeContextOptions): Promise<ScriptInterpreter> {
  const preset = presetOf(options.language);
  const problems: string[] = [];
  for (const program of preset.programs) {
    options.signal?.throwIfAborted();
    const started = await tryProgram(parts, options, { preset, program });
    if (typeof started !== 'string') return started;
    problems.push(started);
  }
  options.signal?.throwIfAborted();
  throw new HoldfastError(
    'HF_INTERPRETER_MISSING',
    `nothing in the box runs ${options.language}: ${problems.join('; ')}`,
    { remedy: preset.remedy, details: { language: options.language, programs: preset.programs } },
  );
}

function presetOf(language: CodeLanguage): LanguagePreset {
  if (Object.hasOwn(languages, language)) return languages[language];
  throw new HoldfastError('HF_USAGE', `there is no language ${JSON.stringify(language)}`, {
    remedy: `one of: ${Object.keys(languages).join(', ')}`,
  });
}

/** Returns the reason that a program cannot be used, if another program might work. */
async function tryProgram(
  { session, commands }: CodeParts,
  { language, cwd, environment, signal }: CodeContextOptions,
  { preset, program }: { readonly preset: LanguagePreset; readonly program: string },
): Promise<ScriptInterpreter | string> {
  const driver = readDriver(session.place.installation.root, preset);
  const said: Buffer[] = [];
  try {
    const handle = commands.start([program, ...preset.arguments], {
      environment: { ...preset.environment, ...environment },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const interpreter = new ScriptInterpreter(handle, preset, driver);
    const settle = givesUp(handle, signal);
    const { replies, ended } = await interpreter
      .ask({ source: '', language, name: 'start' }, { stdout: () => undefined, stderr: (bytes) => said.push(bytes) })
      .finally(settle);
    const end = replies.findLast((reply) => reply.kind === 'end');
    if (end !== undefined && end.error === undefined) return interpreter;
    interpreter.kill('SIGKILL');
    await interpreter.gone;
    return `${program} ${end?.error === undefined ? `ended with status ${ended?.exitCode ?? '?'}: ${lastLine(said)}` : `does not: ${shown(end.error.message)}`}`;
  } catch (error) {
    if (
      !isHoldfastError(error) ||
      (error.code !== 'HF_COMMAND_NOT_FOUND' && error.code !== 'HF_COMMAND_NOT_EXECUTABLE')
    )
      throw error;
    return error.message;
  }
}

/** Ends a program that does not answer, because a program with an interpreter's name need not be one. */
function givesUp(handle: CommandHandle, signal: AbortSignal | undefined): () => void {
  const end = (): void => handle.kill('SIGKILL');
  let turns = 0;
  const timer = setInterval(() => {
    turns += handle.pid === undefined ? 0 : 1;
    if (turns > 1) end();
  }, patience).unref();
  signal?.addEventListener('abort', end, { once: true });
  return () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', end);
  };
}

function lastLine(said: readonly Buffer[]): string {
  return shown(Buffer.concat(said).toString().trim().split('\n').at(-1) ?? '');
}

/** Makes a text safe, because the box chose it. */
function shown(text: string): string {
  return present('report', text.slice(0, 300)).text;
}

/**
 * Reads the driver, which an interpreter runs first. In the sources it is next to this file, and in a bundle it is
 * below `dist`. `root` is the root of the package.
 */
function readDriver(root: string, { driver }: Pick<LanguagePreset, 'driver'>): string {
  // Undefined in CommonJS bundles.
  const url = import.meta.url as string | undefined;
  const directory = url?.endsWith('/src/code/start-interpreter.ts') === true ? 'src/code/drivers' : 'dist/drivers';
  return driver.map((file) => readFileSync(join(root, directory, file), 'utf8')).join('');
}
