import { effectsOf } from '../tools/effects-of.ts';
import type { Place } from '../tools/paths.ts';
import type { ToolSpec } from '../tools/types.ts';
import type { Word } from '../types.ts';
import { type Child, type Command, type Reading, stays } from './command.ts';

/** A command whose program is known. */
export interface Reader {
  readonly command: Command;
  /** The command's first word. */
  readonly word: Word;
  /** Bare. */
  readonly name: string;
  readonly spec: ToolSpec | undefined;
  readonly place: Place;
}

/** A program with a specification. Where one of its options is not understood, nobody knows which word is the command. */
export function readSpecified(spec: ToolSpec, { command, word, place }: Omit<Reader, 'spec'>): Reading {
  const found = effectsOf(spec, command.parsed.argv.slice(1), { ...place, span: word.span });
  const isUnclear = found.effects.opaque.some(({ kind }) => kind === 'unknown-option');
  const where = { shell: 'own', directory: found.directory } as const;
  const children: readonly Child[] = [
    ...found.commands.filter((argv) => argv.length > 0).map((argv) => ({ ...where, kind: 'command', argv, assignments: found.assignments }) as const),
    ...found.scripts.map((text) => ({ ...where, kind: 'script', text, language: 'posix' }) as const),
  ];
  return { tool: found.tool, effects: found.effects, children: isUnclear ? [] : children, moves: stays };
}
