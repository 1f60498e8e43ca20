import type { Word } from '../types.ts';
import type { OperandPlan, Role } from './types.ts';
import { mayBeSeveral, staticWord, plainText } from './words.ts';

/** An operand with every role that it may have. Without a role, the plan has no place for it. */
export interface PlacedOperand {
  readonly word: Word;
  readonly roles: readonly Role[];
  /** For the role `command`: this word and all following ones. */
  readonly command?: readonly Word[];
}

/**
 * Assigns roles to operands. After a word that may become several, positions are uncertain: such operands have all
 * remaining roles.
 */
export function placeOperands(plan: OperandPlan, operands: readonly Word[]): readonly PlacedOperand[] {
  switch (plan.kind) {
    case 'none':
      return operands.map((word) => ({ word, roles: [] }));
    case 'each':
      return orAbsent(plan, plan.role, operands).map((word) => ({ word, roles: [plan.role] }));
    case 'sequence':
      return placeSequence(plan, operands);
  }
}

type Sequence = Extract<OperandPlan, { kind: 'sequence' }>;

function orAbsent(
  plan: { readonly absent?: string },
  role: Role | undefined,
  operands: readonly Word[],
): readonly Word[] {
  return operands.length === 0 && plan.absent !== undefined && role !== undefined
    ? [staticWord(plan.absent)]
    : operands;
}

function placeSequence(plan: Sequence, operands: readonly Word[]): readonly PlacedOperand[] {
  const placed: PlacedOperand[] = [];
  const first = [...plan.first];
  // The last word is last after any other words, if it is one word.
  const end = operands.at(-1);
  const hasEnd = end !== undefined && operands.length > plan.first.length + 1 && !mayBeSeveral(end);
  let isLoose = false;
  let at = 0;
  for (; at < operands.length; at++) {
    const word = operands[at] as Word;
    while (first[0] === 'assignment' && !isAssignment(word)) first.shift();
    isLoose ||= mayBeSeveral(word);
    const isLast = plan.last !== undefined && at === operands.length - 1 && first.length === 0;
    const isCertain = !isLoose || (isLast && !mayBeSeveral(word));
    const roles = isCertain
      ? certain(plan, first, isLast)
      : [...first, ...present(plan.rest), ...(hasEnd ? [] : present(plan.last))];
    if (roles.includes('command')) {
      placed.push({ word, roles: ['command'], command: operands.slice(at) });
      return placed;
    }
    placed.push({ word, roles: [...new Set(roles)] });
    if (first[0] !== 'assignment') first.shift();
  }
  if (
    plan.absent === undefined ||
    plan.rest === undefined ||
    placed.some(({ roles }) => roles.includes(plan.rest as Role))
  )
    return placed;
  return [...placed, { word: staticWord(plan.absent), roles: [plan.rest] }];
}

function certain(plan: Sequence, first: readonly Role[], isLast: boolean): readonly Role[] {
  if (isLast) return present(plan.last);
  return first.length > 0 ? first.slice(0, 1) : present(plan.rest);
}

function present(role: Role | undefined): readonly Role[] {
  return role === undefined ? [] : [role];
}

function isAssignment(word: Word): boolean {
  return plainText(word)?.includes('=') ?? false;
}
