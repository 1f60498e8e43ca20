import type { ParsedCommand } from '../parse/index.ts';
import type { Span, Stdin, Word } from '../types.ts';

/** A command of a script within a text: everything in it stands where the script does, for its own offsets mean nothing outside. */
export function relocated(command: ParsedCommand, span: Span): ParsedCommand {
  const word = (from: Word): Word => ({ ...from, span });
  return {
    ...command,
    span,
    argv: command.argv.map(word),
    assignments: command.assignments.map((assignment) => ({ ...assignment, value: word(assignment.value), span })),
    redirects: command.redirects.map((redirect) => ({ ...redirect, target: word(redirect.target), span })),
    stdin: stdinAt(command.stdin, word),
  };
}

function stdinAt(stdin: Stdin, word: (from: Word) => Word): Stdin {
  return stdin.kind === 'file' ? { ...stdin, path: word(stdin.path) } : stdin;
}
