import { everyBox, levelGuarantees, levelNames, type LevelName } from '../../plan/levels.ts';
import type { GuaranteeVector } from '../backend.ts';
import { atLeast, demandOf } from './vectors.ts';

export interface Level {
  /** 0 to 4. */
  readonly number: number;
  readonly name: LevelName | 'none';
}

/** The highest level of which a vector holds everything. Only shown: what is chosen is chosen by the vector. */
export function levelOf(vector: GuaranteeVector): Level {
  const reached = levelNames.filter((name) =>
    atLeast(vector, demandOf({ requires: levelGuarantees[name], expects: everyBox })),
  );
  return { number: reached.length, name: reached.at(-1) ?? 'none' };
}

export function describeLevel({ number, name }: Level): string {
  return `${number} ${name}`;
}
