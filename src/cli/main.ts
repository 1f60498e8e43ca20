/**
 * The command-line room: one file per subcommand, each a thin edge over the library.
 *
 * A command parses options, calls the library and prints. Decisions, file formats and state belong elsewhere: a library
 * user can do everything that a command does.
 */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
// Not imported through the index: `run` would load the whole place room.
import { refuseInsideBox } from '../place/host/inside-box.ts';
import { type Command, type CommandInput, type CommandIo, safeText, usageOf } from './command.ts';

/** Exit status of Holdfast's own failures, as in `env`, `timeout` and `docker run`. Commands rarely use it. */
export const failureStatus = 125;

/** Runs one command to its exit status. Every known failure becomes one line that says what to do. */
export async function runToStatus(command: Command, argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const input = parseCommandLine(command, argv, io);
    if (input.values['help'] === true) {
      io.stdout.write(`${await usageOf(command)}\n`);
      return 0;
    }
    if (command.inBox !== 'works') refuseInsideBox();
    const { alone } = command;
    return await command.run(
      alone === undefined || input.positionals.length > 0 || input.rest ? input : { ...input, positionals: [alone] },
    );
  } catch (error) {
    io.stderr.write(`${safeText(describeError(await explained(error, command)))}\n`);
    return exitStatusOf(error);
  }
}

/** Replaces an error of Node's parser of options. A correct command line does not load the texts. */
export async function explained(error: unknown, command: Command): Promise<unknown> {
  const cause = isHoldfastError(error) ? error.cause : undefined;
  if (!(cause instanceof TypeError && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS_')))
    return error;
  return (await import('./usage-error.ts')).optionError(cause, command);
}

export function describeError(error: unknown): string {
  if (isHoldfastError(error)) return `holdfast: ${error.message}\nholdfast: to fix it: ${error.remedy} [${error.code}]`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `holdfast: internal error, please report it: ${stack}`;
}

export function exitStatusOf(error: unknown): number {
  if (!isHoldfastError(error)) return failureStatus;
  if (error.code === 'HF_COMMAND_NOT_FOUND') return 127;
  return error.code === 'HF_COMMAND_NOT_EXECUTABLE' ? 126 : failureStatus;
}

/** Splits at the first `--`, or at the program before it. Parses the words before, and leaves the rest untouched. */
export function parseCommandLine(command: Command, argv: readonly string[], io: CommandIo): CommandInput {
  const split = argv.indexOf('--');
  const before = split < 0 ? argv : argv.slice(0, split);
  const rest = split < 0 ? undefined : argv.slice(split + 1);
  // The usual `holdfast run -- COMMAND`, and words alone, need no parser, which takes a millisecond to load.
  if (before.length === 0 || (command.positionals === 'any' && before.every((word) => !word.startsWith('-'))))
    return { values: {}, positionals: before, rest, io };
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
  const program = command.positionals === 'program' ? programAt(before, options) : -1;
  try {
    const parsed = parseArgs({
      args: program < 0 ? [...before] : before.slice(0, program),
      options,
      allowPositionals: command.positionals === 'any',
      strict: true,
    });
    return program < 0
      ? { values: parsed.values, positionals: parsed.positionals, rest, io }
      : { values: parsed.values, positionals: argv.slice(program), rest: undefined, io };
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', String(cause), { remedy: `see \`holdfast ${command.name} --help\``, cause });
  }
}

/**
 * Returns the index of the first word that is neither an option nor an option's value: 2 for `--read /x claude -p hi`.
 */
function programAt(words: readonly string[], options: Command['options']): number {
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true });
  return tokens.find(({ kind }) => kind === 'positional')?.index ?? -1;
}

/**
 * `holdfast audit show | head`: the reader has closed the pipe. Other write errors, such as a full disk, are reported
 * where output is still possible.
 */
export function endAtOnce(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  try {
    writeSync(
      2,
      `holdfast: its output cannot be written (${error.code ?? error.message})\nholdfast: to fix it: make room where it goes, or send it elsewhere [HF_USAGE]\n`,
    );
  } finally {
    process.exit(failureStatus);
  }
}
