import type { LimitRow } from '../features/feature.ts';
import { features } from '../features/index.ts';
import { limitRows } from '../features/merge.ts';
import { parseAmount, parseBytes, parseDuration } from '../layers/quantities.ts';
import type { DocumentFinding } from './problem.ts';
import type { PolicyValue } from './types.ts';

const rows = Object.entries(limitRows(features));

/** No machine has more, and larger numbers lose their last digits. */
const largest = 2 ** 50;

/** Reports well-formed limits that make no sense. */
export function quantityFindings({ limits = {} }: PolicyValue): readonly DocumentFinding[] {
  const said: Readonly<Record<string, unknown>> = limits;
  return rows.flatMap(([key, row]) => {
    const text = said[key];
    return typeof text === 'string' ? findingsOf({ key, text, row }) : [];
  });
}

interface Said {
  readonly key: string;
  readonly text: string;
  readonly row: LimitRow;
}

function findingsOf(said: Said): readonly DocumentFinding[] {
  switch (said.row.quantity) {
    case 'amount':
      return amount(said);
    case 'bytes':
      return bytes(said);
    case 'duration':
      return outOfRange(said, parseDuration(said.text));
    case 'number':
      return [];
  }
}

function amount(said: Said): readonly DocumentFinding[] {
  const value = parseAmount(said.text);
  if (value?.kind !== 'share') return outOfRange(said, value?.bytes);
  return value.share > 0 && value.share <= 1
    ? []
    : [
        {
          at: `limits.${said.key}`,
          message: `${said.text} is not a share of the machine`,
          remedy: 'write a share from 1% to 100%',
        },
      ];
}

function bytes(said: Said): readonly DocumentFinding[] {
  if (said.text.endsWith('%'))
    return [
      {
        at: `limits.${said.key}`,
        message: `${said.row.of} cannot be a share of the machine`,
        remedy: 'write it as "1GiB"',
      },
    ];
  return outOfRange(said, parseBytes(said.text));
}

function outOfRange({ key }: Said, value: number | undefined): readonly DocumentFinding[] {
  if (value === undefined || (value >= 1 && value <= largest)) return [];
  return [
    {
      at: `limits.${key}`,
      message: `limits.${key} is ${value < 1 ? 'zero' : 'larger than any machine'}`,
      remedy: 'write "none" to set no limit',
    },
  ];
}
