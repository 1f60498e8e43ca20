import process from 'node:process';
import type { DiffLine } from '../../staged/diff/describe-change.ts';
import { type SignTone, signs } from '../../text/signs.ts';
import type { CommandIo } from '../command.ts';

/** The reader's display. */
export interface Look {
  /** A pipe gets neither table heads, nor signs, nor colours, because scripts read it. */
  readonly reader: 'person' | 'pipe';
  readonly colours: 'coloured' | 'plain';
  readonly letters: 'unicode' | 'ascii';
  /** In columns; infinite for a pipe, where nothing is cut. */
  readonly width: number;
}

/**
 * The look of the stream that a command prints to. Colours: at a terminal that supports them, without `NO_COLOR`
 * (no-color.org).
 */
export function lookOf({ stdout, environment }: Pick<CommandIo, 'stdout' | 'environment'>): Look {
  const isTerminal = stdout === process.stdout && process.stdout.isTTY;
  const isColoured = isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  return {
    reader: isTerminal ? 'person' : 'pipe',
    colours: isColoured ? 'coloured' : 'plain',
    letters: lettersOf(environment),
    width: isTerminal ? process.stdout.columns || usualWidth : Number.POSITIVE_INFINITY,
  };
}

/** Chooses by the locale, as POSIX does: the first of these variables that is set. */
function lettersOf(environment: CommandIo['environment']): Look['letters'] {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => environment[name] ?? '').find((value) => value !== '');
  return /utf-?8/iu.test(locale ?? '') ? 'unicode' : 'ascii';
}

/** Mark that replaces a cut rest. */
export function ellipsis({ letters }: Look): string {
  return letters === 'unicode' ? '…' : '...';
}

/** The sign of a tone, for people only. */
export function signOf(tone: SignTone, { reader, letters }: Look): string {
  if (reader === 'pipe') return '';
  const { sign, ascii } = signs[tone];
  return letters === 'unicode' ? sign : ascii;
}

/** A text with the sign of its tone before it, in the tone's colour. */
export function signed(text: string, tone: SignTone, look: Look): string {
  const sign = signOf(tone, look);
  return inColour(sign === '' ? text : `${sign} ${text}`, codesOfTones[tone], look);
}

const codesOfTones: Readonly<Record<SignTone, string>> = {
  plain: '',
  live: '36',
  allowed: '32',
  waiting: '33',
  staged: '35',
  warning: '33',
  refused: '31',
  alarm: '1;31',
};

/** For heads of tables. */
export const headCode = '1';

export function colourOf(tone: SignTone): string {
  return codesOfTones[tone];
}

/** The text holds no escapes of its own. */
export function inColour(text: string, code: string, { colours }: Pick<Look, 'colours'>): string {
  return colours === 'plain' || code === '' || text.trim() === '' ? text : `\u001B[${code}m${text}\u001B[m`;
}

const usualWidth = 80;

const codesOfLines: Readonly<Record<DiffLine['kind'], string>> = {
  heading: '1',
  note: '',
  warning: '1;31',
  place: '36',
  removed: '31',
  added: '32',
  context: '',
};

/** A line in the colours of `git diff`. */
export function diffLine({ kind, text }: DiffLine, look: Pick<Look, 'colours'>): string {
  return inColour(text, codesOfLines[kind], look);
}
