import { parseAmount, parseBytes, parseDuration } from '../layers/quantities.ts';
import type { Finding } from './problem.ts';
import type { PolicyValue } from './types.ts';

type Limits = NonNullable<PolicyValue['limits']>;

/** No machine has more, and numbers beyond lose their last digits. */
const largest = 2 ** 50;

/** Limits that are written well and yet mean nothing. */
export function quantityFindings({ limits = {} }: PolicyValue): readonly Finding[] {
  return [
    ...amount('memory', limits),
    ...amount('tmp', limits),
    ...bytes('file_size', limits),
    ...bytes('staged', limits),
    ...bytes('trash', limits),
    ...duration('cpu_time', limits),
    ...duration('wall', limits),
    ...duration('trash_age', limits),
  ];
}

function amount(key: 'memory' | 'tmp', limits: Limits): readonly Finding[] {
  const value = parseAmount(limits[key] ?? 'none');
  if (value === undefined) return [];
  if (value.kind === 'bytes') return outOfRange(key, value.bytes);
  return value.share > 0 && value.share <= 1
    ? []
    : [
        {
          at: `limits.${key}`,
          message: `${limits[key]} is no share of the machine`,
          remedy: 'write a share from 1% to 100%',
        },
      ];
}

const ofDisk = {
  file_size: 'a file size',
  staged: 'the size of a staged layer',
  trash: 'the size of the trash',
} as const;

function bytes(key: keyof typeof ofDisk, { [key]: size }: Limits): readonly Finding[] {
  if (size?.endsWith('%') === true)
    return [
      { at: `limits.${key}`, message: `${ofDisk[key]} cannot be a share of the machine`, remedy: 'write it as "1GiB"' },
    ];
  const value = parseBytes(size ?? 'none');
  return value === undefined ? [] : outOfRange(key, value);
}

function duration(key: 'cpu_time' | 'wall' | 'trash_age', limits: Limits): readonly Finding[] {
  const value = parseDuration(limits[key] ?? 'none');
  return value === undefined ? [] : outOfRange(key, value);
}

function outOfRange(key: keyof Limits, value: number): readonly Finding[] {
  if (value >= 1 && value <= largest) return [];
  return [
    {
      at: `limits.${key}`,
      message: `limits.${key} is ${value < 1 ? 'zero' : 'larger than any machine'}`,
      remedy: 'write "none" to set no limit',
    },
  ];
}
