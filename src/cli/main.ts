/**
 * The command-line room: one file per subcommand, each a thin edge over the library.
 *
 * A command parses options, calls the library and prints. Decisions, file formats and state belong elsewhere: whatever a
 * command does, a library user can do.
 */
import { isHoldfastError } from '../errors/index.ts';
import type { Command, CommandIo } from './command.ts';
import { parseCommandLine } from './parse.ts';
import { safeText } from './safe-text.ts';

/** Holdfast's own failures, as in `env`, `timeout` and `docker run`: not to be taken for the command's. */
export const failureStatus = 125;

/** Runs one command to its exit status; every known failure becomes one line that says what to do. */
export async function runCommand(command: Command, argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const input = parseCommandLine(command, argv, io);
    if (input.values['help'] === true) {
      io.stdout.write(`${command.usage}\n`);
      return 0;
    }
    return await command.run(input);
  } catch (error) {
    io.stderr.write(`${safeText(describeError(error))}\n`);
    return exitStatusOf(error);
  }
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
