import type { FindingKind, TextForm } from '../types.ts';
import { once, rangeBounds } from './code-point-set.ts';
import * as tables from './tables.ts';

/** Kinds, stored as one byte each in the tables. 0 is a visible character. */
export const kinds = [
  'invisible',
  'bidi',
  'tag',
  'variation-selector',
  'filler',
  'annotation',
  'separator',
  'control',
  'noncharacter',
  'surrogate',
] as const satisfies readonly FindingKind[];
export type HiddenKind = (typeof kinds)[number];
/** Class of a surrogate, because only the whole code point has a kind. */
export const surrogateClass = kinds.indexOf('surrogate') + 1;
/** A character of the notation that `reveal` uses. It must not be forged. */
export const bracketClass = kinds.length + 1;

/** Invisible characters that no property of the database identifies. They show as blank, or as a replacement. */
const fillers = '115f-1160,17b4-17b5,2800,3164,ffa0,fffc,1d159';

export interface Classes {
  /** Classes by UTF-16 code unit. */
  readonly units: Uint8Array;
  /** Returns the class of a code point above U+FFFF, for the planes in use. */
  readonly ofPair: (point: number) => number;
  /** Whether a CR before LF ends a line, as in files from Windows. */
  readonly crlf: 'ends-a-line' | 'control';
}

/** Returns the classes of characters in a text of that form. */
export function classesOf(form: TextForm): Classes {
  return byForm[form]();
}

/** Returns whether a character is visible. False for a lone surrogate. */
export function isShown(point: number): boolean {
  const { units, ofPair } = inText();
  const value = point < 0x10000 ? units[point] : ofPair(point);
  return value === 0 || value === bracketClass;
}

const inText = once(() => ({ ...buildClasses([]), crlf: 'ends-a-line' as const }));
const byForm: Readonly<Record<TextForm, () => Classes>> = {
  prose: inText,
  code: inText,
  name: once(() => ({
    ...buildClasses([
      [tables.blank, 'separator'],
      ['9-a', 'control'],
    ]),
    crlf: 'control' as const,
  })),
  command: once(() => ({ ...buildClasses([[tables.blank, 'separator']]), crlf: 'control' as const })),
};

type Layer = readonly [written: string, kind: HiddenKind | 'plain' | 'bracket'];

/** Later layers win over earlier ones. */
const layers: readonly Layer[] = [
  [tables.defaultIgnorable, 'invisible'],
  [tables.bidiControl, 'bidi'],
  [tables.variationSelector, 'variation-selector'],
  ['e0000-e007f', 'tag'],
  [fillers, 'filler'],
  ['fff9-fffb,13430-1343f', 'annotation'],
  [tables.separator, 'separator'],
  [tables.control, 'control'],
  ['9-a', 'plain'],
  [tables.noncharacter, 'noncharacter'],
  ['d800-dfff', 'surrogate'],
  ['27e6', 'bracket'],
];

function buildClasses(more: readonly Layer[]): Omit<Classes, 'crlf'> {
  const units = new Uint8Array(0x10000);
  const pairs = new Map<number, Uint8Array>();
  for (const [written, kind] of [...layers, ...more]) {
    const value = kind === 'plain' ? 0 : kind === 'bracket' ? bracketClass : kinds.indexOf(kind) + 1;
    const bounds = rangeBounds(written);
    for (let index = 0; index < bounds.length; index += 2)
      fill({ units, pairs }, [bounds[index]!, bounds[index + 1]!], value);
  }
  return { units, ofPair: (point) => pairs.get(point >>> 10)?.[point & 0x3ff] ?? 0 };
}

function fill(
  target: { readonly units: Uint8Array; readonly pairs: Map<number, Uint8Array> },
  [first, last]: readonly [number, number],
  value: number,
): void {
  for (let point = first; point <= last; point++) {
    if (point < 0x10000) target.units[point] = value;
    else {
      const block = target.pairs.get(point >>> 10) ?? new Uint8Array(0x400);
      block[point & 0x3ff] = value;
      target.pairs.set(point >>> 10, block);
    }
  }
}
