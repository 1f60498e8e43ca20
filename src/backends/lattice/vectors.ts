import { everyBox, levelGuarantees, type LevelName, levelNames } from '../../plan/levels.ts';
import { type Guarantee, guarantees, type Plan } from '../../plan/types.ts';
import type { GuaranteeVector, Strength } from '../backend.ts';

/** From weakest to strongest. */
const strengths: readonly Strength[] = ['none', 'partial', 'kernel'];

/** Returns the guarantees of either vector. For two demands, the result satisfies both. */
export function joinVectors(one: GuaranteeVector, other: GuaranteeVector): GuaranteeVector {
  return vectorOf((guarantee) => (isAtLeast(one[guarantee], other[guarantee]) ? one[guarantee] : other[guarantee]));
}

/** Compares each guarantee. Two vectors may each have something that the other lacks. */
export function atLeast(vector: GuaranteeVector, demand: GuaranteeVector): boolean {
  return lacking(vector, demand).length === 0;
}

/** Returns the guarantees of a demand that a vector lacks. */
export function lacking(vector: GuaranteeVector, demand: GuaranteeVector): readonly Guarantee[] {
  return guarantees.filter((guarantee) => !isAtLeast(vector[guarantee], demand[guarantee]));
}

/** Returns the guarantees that a plan needs from a backend. */
export function demandOf({ requires, expects = [] }: Pick<Plan, 'requires' | 'expects'>): GuaranteeVector {
  return vectorOf((guarantee) =>
    requires.includes(guarantee) ? 'kernel' : expects.includes(guarantee) ? 'partial' : 'none',
  );
}

export function vectorOf(strength: (guarantee: Guarantee) => Strength): GuaranteeVector {
  return Object.fromEntries(guarantees.map((guarantee) => [guarantee, strength(guarantee)])) as GuaranteeVector;
}

function isAtLeast(one: Strength, other: Strength): boolean {
  return strengths.indexOf(one) >= strengths.indexOf(other);
}

export interface Level {
  /** 0 to 4. */
  readonly number: number;
  readonly name: LevelName | 'none';
}

/**
 * Returns the highest level whose guarantees a vector provides completely. It is only for display: the vector decides
 * the choice.
 */
export function guaranteeLevel(vector: GuaranteeVector): Level {
  const reached = levelNames.filter((name) =>
    atLeast(vector, demandOf({ requires: levelGuarantees[name], expects: everyBox })),
  );
  return { number: reached.length, name: reached.at(-1) ?? 'none' };
}

export function describeLevel({ number, name }: Level): string {
  return `${number} ${name}`;
}
