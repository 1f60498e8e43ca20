import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Alarm } from './alarms-of.ts';

/** The result of one kind of alarm. */
export interface Count {
  readonly kind: Alarm['kind'];
  readonly all: number;
  readonly wrong: number;
}

export interface Judged {
  readonly counts: readonly Count[];
  /** Unjudged places, as lines for the file. */
  readonly unjudged: readonly string[];
}

type Verdict = 'right' | 'wrong';

/** By `kind row name`, where the name is the last component of the path. */
export function readJudgements(): ReadonlyMap<string, Verdict> {
  const lines = readFileSync(join(import.meta.dirname, 'judgements.txt'), 'utf8').split('\n');
  return new Map(lines.filter((line) => line !== '' && !line.startsWith('#')).map(judgementOf));
}

function judgementOf(line: string): readonly [string, Verdict] {
  const [verdict = '', ...place] = line.split('\t');
  if ((verdict !== 'right' && verdict !== 'wrong') || place.length < 3)
    throw new Error(`judgements.txt has a line that is none: ${line}`);
  return [place.slice(0, 3).join('\t'), verdict];
}

const kinds = ['withheld', 'hidden', 'protected', 'listed'] as const;

export function judge(alarms: readonly Alarm[], judgements: ReadonlyMap<string, Verdict>): Judged {
  const places = alarms.map((alarm) => ({ kind: alarm.kind, verdict: judgements.get(placeOf(alarm)) }));
  const unjudged = alarms.filter((alarm) => !judgements.has(placeOf(alarm)));
  return {
    counts: kinds.map((kind) => {
      const verdicts = places.filter((place) => place.kind === kind).map(({ verdict }) => verdict);
      return { kind, all: verdicts.length, wrong: verdicts.filter((verdict) => verdict === 'wrong').length };
    }),
    unjudged: [...new Set(unjudged.map((alarm) => `${placeOf(alarm)}\t# ${alarm.path}`))].toSorted(),
  };
}

function placeOf({ kind, row, path }: Alarm): string {
  return [kind, row, path.slice(path.lastIndexOf('/') + 1)].join('\t');
}
