import { HoldfastError } from '../../errors/index.ts';
import { valueEntries, itemsOf, oneOrMore, type TextEntry } from './read-value.ts';
import type { NotCarried } from './types.ts';

export type AgentshDecision = 'allow' | 'deny' | 'approve' | 'redirect' | 'audit' | 'soft_delete';

export interface AgentshRule {
  readonly at: string;
  readonly decision: AgentshDecision;
  /** Returns the texts of a key. Empty for a missing key. */
  readonly texts: (key: string) => readonly TextEntry[];
  /** Returns the keys that are not listed. */
  readonly others: (known: readonly string[]) => readonly string[];
}

const decisions: readonly AgentshDecision[] = ['allow', 'deny', 'approve', 'redirect', 'audit', 'soft_delete'];
const described = ['name', 'description', 'decision', 'message', 'timeout'];

/** Returns the rules of a list in order. An unknown decision refuses, as in agentsh. */
export function agentshRules(value: unknown, at: string): readonly AgentshRule[] {
  return itemsOf(value ?? [], at).map(({ value: rule, at: place }) => {
    const keys = new Map(valueEntries(rule, place).map((entry) => [entry.key, entry.value]));
    const decision = keys.get('decision');
    if (typeof decision !== 'string')
      throw new HoldfastError('HF_POLICY_INVALID', `${place} has no decision`, {
        remedy: 'correct the file: none of it was imported',
      });
    return {
      at: place,
      decision: decisions.find((each) => each === decision) ?? 'deny',
      texts: (key) => (keys.has(key) ? oneOrMore(withTexts(keys.get(key)), `${place}.${key}`) : []),
      others: (known) => [...keys.keys()].filter((key) => !known.includes(key) && !described.includes(key)),
    };
  });
}

export function isPermission({ decision }: AgentshRule): boolean {
  return decision === 'allow' || decision === 'audit';
}

/** Reports keys that are not listed. */
export function unreadKeys(rule: AgentshRule, known: readonly string[]): readonly NotCarried[] {
  return rule.others(known).map((key) => ({
    at: rule.at,
    why: `${/^\w{1,40}$/u.test(key) ? key : 'a key'} is not read${isPermission(rule) ? ': nothing is opened by a rule that has it' : ''}`,
    effect: 'stricter',
  }));
}

/** Reports a rule without names, which Holdfast cannot carry over. */
export function withoutNames(rule: AgentshRule, names: readonly TextEntry[]): readonly NotCarried[] {
  return names.length > 0
    ? []
    : [{ at: rule.at, why: 'it names nothing that it is about', effect: isPermission(rule) ? 'stricter' : 'looser' }];
}

/** Reads numbers as texts: ports are numbers, and some names look like one. */
function withTexts(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map((each: unknown) => (typeof each === 'number' ? String(each) : each)) : value;
}
