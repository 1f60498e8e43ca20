import { HoldfastError } from '../errors/index.ts';
import { present } from '../text/index.ts';
import { optionText, type OptionValue } from './command.ts';

/** Returns a name for one line of a list. Two names never look the same. */
export function listedName(name: string): string {
  return present('file-name', name).text;
}

/** Returns the last items of a list: as many as `--last` says, 50 by default. */
export function lastItems<T>(items: readonly T[], value: OptionValue): readonly T[] {
  const last = Number(optionText(value) ?? defaultLast);
  if (!Number.isInteger(last) || last < 1)
    throw new HoldfastError('HF_USAGE', `expected a number from 1, got ${JSON.stringify(optionText(value))}`, {
      remedy: 'use --last 50',
    });
  return items.slice(-last);
}

export function howMany(shown: number, all: number): string {
  if (shown < all) return `the last ${shown} of ${all}`;
  return all === 1 ? '1 entry' : `${all} entries`;
}

/** Decimal units, as in `ls -h --si`. */
export function sizeText(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

const defaultLast = 50;
const units = ['B', 'KB', 'MB', 'GB', 'TB'];
