import { parseArgs } from 'node:util';
import { HoldfastError } from '../errors/index.ts';
import type { Command, CommandInput, CommandIo } from './command.ts';

/** Splits at the first `--`, parses what stands before it, and leaves the rest untouched. */
export function parseCommandLine(command: Command, argv: readonly string[], io: CommandIo): CommandInput {
  const split = argv.indexOf('--');
  const before = split < 0 ? argv : argv.slice(0, split);
  // The usual `holdfast run -- COMMAND`, and words alone, need no parser, whose loading costs a millisecond.
  if (before.length === 0 || (command.positionals === 'any' && before.every((word) => !word.startsWith('-')))) return { values: {}, positionals: before, rest: split < 0 ? undefined : argv.slice(split + 1), io };
  try {
    const parsed = parseArgs({ args: [...before], options: { ...command.options, help: { type: 'boolean', short: 'h' } }, allowPositionals: command.positionals === 'any', strict: true });
    return { values: parsed.values, positionals: parsed.positionals, rest: split < 0 ? undefined : argv.slice(split + 1), io };
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('. ')[0] ?? cause.message) : String(cause);
    throw new HoldfastError('HF_USAGE', message, { remedy: `see \`holdfast ${command.name} --help\``, cause });
  }
}
