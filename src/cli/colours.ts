import process from 'node:process';
import type { Line } from '../staged/diff/index.ts';
import type { CommandIo } from './command.ts';

/** Colours are for people: on a terminal, unless `NO_COLOR` is set and not empty (no-color.org). */
export function coloursOf({ stdout, environment }: Pick<CommandIo, 'stdout' | 'environment'>): 'coloured' | 'plain' {
  return stdout === process.stdout && process.stdout.isTTY && (environment['NO_COLOR'] ?? '') === '' ? 'coloured' : 'plain';
}

const codes: Readonly<Record<Line['kind'], string>> = { heading: '1', note: '', warning: '1;31', place: '36', removed: '31', added: '32', context: '' };

/** A line in the colours of `git diff`. Its text holds no escapes of its own. */
export function coloured({ kind, text }: Line): string {
  return codes[kind] === '' || text === '' ? text : `\u001B[${codes[kind]}m${text}\u001B[m`;
}
