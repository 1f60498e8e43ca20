import type { SignTone } from '../../text/signs.ts';
import { safeText } from '../command.ts';
import { colourOf, headCode, type Look, inColour, signOf, ellipsis } from './look.ts';

export interface TableColumn<Row> {
  readonly head: string;
  readonly of: (row: Row) => string;
  /** Numbers stand at the right. */
  readonly align?: 'right';
  /** Adds a sign before the text, and colours the cell. */
  readonly tone?: (row: Row) => SignTone;
  /** The end at which texts are cut if the terminal is too narrow. Default: they are never cut. */
  readonly cut?: 'end' | 'start';
  /** From 1: the order in which columns are dropped if cutting is not enough. Default: never dropped. */
  readonly goes?: number;
  /** The minimum terminal width in columns. */
  readonly least?: number;
}

export interface TableLook extends Look {
  /** `always`: a pipe gets the heads too. `never`: the table is part of a text that introduces it. */
  readonly heads?: 'always' | 'never';
  /** Text before each line. */
  readonly indent?: string;
}

/**
 * The single style of tables: bold heads, two spaces between columns, numbers aligned right, no borders. A line fits
 * the terminal where possible. Hidden characters in cells are escaped here, so that no cell forges a line.
 */
export function terminalTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  look: TableLook,
): string {
  const all = columns.map((column) => laidOut(rows, column, look));
  const kept = fitted(all, look);
  const heads = hasHeads(look) ? [lineOf(kept, 'head', look)] : [];
  return [...heads, ...rows.map((_, index) => lineOf(kept, index, look))].join('');
}

function hasHeads({ reader, heads }: TableLook): boolean {
  return heads === undefined ? reader === 'person' : heads === 'always';
}

/** A column with the texts of its cells. */
interface LaidOut {
  readonly head: string;
  readonly texts: readonly string[];
  readonly codes: readonly string[];
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly cut: 'end' | 'start' | 'never';
  readonly goes: number;
}

function laidOut<Row>(rows: readonly Row[], column: TableColumn<Row>, look: TableLook): LaidOut {
  const tones = rows.map((row) => column.tone?.(row) ?? 'plain');
  const signWidth = Math.max(0, ...tones.map((tone) => signOf(tone, look).length));
  const texts = rows.map((row, index) => {
    const text = oneLine(column.of(row));
    return signWidth === 0 ? text : `${signOf(tones[index] ?? 'plain', look).padEnd(signWidth)} ${text}`;
  });
  const head = `${signWidth === 0 ? '' : ' '.repeat(signWidth + 1)}${column.head}`;
  return {
    head,
    texts,
    codes: tones.map(colourOf),
    width: [...(hasHeads(look) ? [head] : []), ...texts].reduce(
      (most, text) => Math.max(most, shownWidth(text)),
      column.least ?? 0,
    ),
    align: column.align ?? 'left',
    cut: column.cut ?? 'never',
    goes: column.goes ?? 0,
  };
}

function oneLine(text: string): string {
  return safeText(text).replaceAll(/[\n\t]/gu, ' ');
}

const gap = 2;
/** Texts are never cut below this width. */
const shortest = 8;
/** Columns are dropped so that each text keeps this width. */
const fair = 20;

/** Drops columns first, and then cuts the widest text that may be cut. */
function fitted(all: readonly LaidOut[], { width: whole, indent = '' }: TableLook): readonly LaidOut[] {
  const width = whole - indent.length;
  let kept = all;
  while (total(kept.map((column) => (column.cut === 'never' ? column.width : Math.min(fair, column.width)))) > width) {
    const [next] = kept.filter(({ goes }) => goes > 0).toSorted((one, other) => one.goes - other.goes);
    if (next === undefined) break;
    kept = kept.filter((column) => column !== next);
  }
  const widths = kept.map((column) => column.width);
  for (let over = total(widths) - width; over > 0; over = total(widths) - width) {
    const elastic = kept.flatMap(({ cut }, index) => (cut === 'never' ? [] : [widths[index] ?? 0]));
    const widest = Math.max(0, ...elastic);
    if (widest <= shortest) break;
    const second = Math.max(shortest, ...elastic.filter((one) => one < widest));
    const at = kept.findIndex(({ cut }, index) => cut !== 'never' && widths[index] === widest);
    widths[at] = Math.max(second, widest - over);
  }
  return kept.map((column, index) => ({ ...column, width: widths[index] ?? 0 }));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + Math.max(0, widths.length - 1) * gap;
}

function lineOf(columns: readonly LaidOut[], row: number | 'head', look: TableLook): string {
  const cells = columns.map((column) => {
    const text = row === 'head' ? column.head : (column.texts[row] ?? '');
    const code = row === 'head' ? headCode : (column.codes[row] ?? '');
    const cut = column.cut === 'never' ? text : cutToWidth(text, column, look);
    const padding = ' '.repeat(Math.max(0, column.width - shownWidth(cut)));
    return column.align === 'right'
      ? `${padding}${inColour(cut, code, look)}`
      : `${inColour(cut, code, look)}${padding}`;
  });
  return `${look.indent ?? ''}${cells.join(' '.repeat(gap)).trimEnd()}\n`;
}

/** Letters that terminals show in two columns: East Asian ones, and pictures. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]/u;
/** Marks that combine with the letter before them. */
const narrow = /^\p{M}$/u;
const plain = /^[ -~]*$/u;

/** Columns of a terminal that a text takes. Its hidden characters are escaped already. */
export function shownWidth(text: string): number {
  return plain.test(text) ? text.length : Array.from(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
}

function letterWidth(letter: string): number {
  if (narrow.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

/** Cuts a text to a width, with a mark at the cut. */
function cutToWidth(
  text: string,
  { width, cut }: { readonly width: number; readonly cut: 'end' | 'start' | 'never' },
  look: Look,
): string {
  if (shownWidth(text) <= width) return text;
  const mark = ellipsis(look);
  const room = Math.max(0, width - mark.length);
  if (cut === 'start') return `${mark}${taken(Array.from(text).toReversed(), room).toReversed().join('')}`;
  return `${taken(Array.from(text), room).join('')}${mark}`;
}

/** As many letters as fit. */
function taken(letters: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const letter of letters) {
    left -= letterWidth(letter);
    if (left < 0) break;
    kept.push(letter);
  }
  return kept;
}
