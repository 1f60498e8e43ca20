import { compilePattern, createScanner, type Finding, type Rule, rulePacks, type Scanner } from '../../dlp/index.ts';
import type { DlpDecision, DlpRule } from '../../policy/index.ts';
import { dlpDecisions } from '../../policy/index.ts';
import type { KnownSecrets } from './known-secrets.ts';

/** The rules for one destination, ready to look. */
export interface ContentRules {
  readonly scanner: Scanner;
  /** Which rule of the policy decides about a find: the strictest of those that name it. */
  ruleFor(finding: Finding): DlpRule;
}

/** Undefined where nothing is looked for. Secrets of the session are looked for first, wherever anything is. */
export function contentRules(rules: readonly DlpRule[], { texts, exact }: KnownSecrets): ContentRules | undefined {
  if (rules.length === 0 && texts.length === 0) return undefined;
  const deciding = new Map<string, DlpRule>([[sessionSecret, ownSecrets]]);
  const looked: Rule[] = [];
  const taken = new Set<string>();
  for (const rule of rules) {
    for (const each of rulesOf(rule, freeName(rule.name, taken))) {
      const before = deciding.get(each.name);
      if (before === undefined) looked.push(each);
      if (before === undefined || strictness(rule.decision) > strictness(before.decision))
        deciding.set(each.name, rule);
    }
  }
  const rank = (name: string): number => strictness((deciding.get(name) ?? ownSecrets).decision);
  return {
    scanner: createScanner({ rules: looked, exact, rank }),
    ruleFor: ({ rule }) => deciding.get(rule) ?? ownSecrets,
  };
}

const sessionSecret = 'session-secret';

/** What a session knows to be secret never goes to a model, whatever the policy looks for besides. */
const ownSecrets: DlpRule = {
  name: 'built-in: secrets of the session',
  decision: 'tokenize',
  finds: [sessionSecret],
  patterns: [],
  hosts: 'models',
};

/** Where a policy says nothing: keys go to no model as they are, and come back where the model writes them. */
export const usualRules: readonly DlpRule[] = [
  {
    name: 'built-in: keys',
    decision: 'tokenize',
    finds: ['keys', 'private-keys', 'tokens'],
    patterns: [],
    hosts: 'models',
  },
  { name: 'built-in: payment', decision: 'audit', finds: ['payment'], patterns: [], hosts: 'models' },
];

/** Attack: a rule of another layer with the name of one, whose pattern stands for that of the other. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`;
  taken.add(free);
  return free;
}

function rulesOf({ finds, patterns }: DlpRule, known: string): readonly Rule[] {
  const named = finds.flatMap((find) =>
    Object.hasOwn(rulePacks, find)
      ? rulePacks[find as keyof typeof rulePacks]
      : Object.values(rulePacks)
          .flat()
          .filter((rule) => rule.name === find),
  );
  const own = patterns.flatMap((pattern, index) => {
    const compiled = compilePattern(pattern, `${known}[${index}]`);
    return compiled.kind === 'rule' ? [compiled.rule] : [];
  });
  return [...named, ...own];
}

function strictness(decision: DlpDecision): number {
  return dlpDecisions.indexOf(decision);
}
