import { encodingsOf } from '../../credentials/masking/encodings.ts';
import { createMatcher } from '../../credentials/masking/matcher.ts';
import { type SecretRule, compilePattern, rulePacks } from '../../dlp/rules/index.ts';
import { type ExactFinder, createScanner } from '../../dlp/scan/scanner.ts';
import type { Finding, Scanner } from '../../dlp/types.ts';
import { type DlpDecision, dlpDecisions, type DlpRule } from '../../policy/llm/types.ts';

/** The rules for one destination, ready to search. */
export interface ContentRules {
  readonly scanner: Scanner;
  /** Returns the policy's rule that decides about a match: the strictest rule that names it. */
  ruleFor(finding: Finding): DlpRule;
}

/** Undefined if nothing is searched for. Every search includes the secrets of the session, before all other rules. */
export function contentRules(rules: readonly DlpRule[], { texts, exact }: KnownSecrets): ContentRules | undefined {
  if (rules.length === 0 && texts.length === 0) return undefined;
  const deciding = new Map<string, DlpRule>([[sessionSecret, ownSecrets]]);
  const looked: SecretRule[] = [];
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

/** Known secrets of a session never go to a model, even if the policy has no rules for a search. */
const ownSecrets: DlpRule = {
  name: 'built-in: secrets of the session',
  decision: 'tokenize',
  finds: [sessionSecret],
  patterns: [],
  hosts: 'models',
};

/** Default rules. Keys never go to a model unchanged, and return in its answers where the model writes them. */
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

/** Attack: a rule of another layer uses an existing name, and its pattern would replace that of the other rule. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`;
  taken.add(free);
  return free;
}

function rulesOf({ finds, patterns }: DlpRule, known: string): readonly SecretRule[] {
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

/** The secrets of a session at one point in time, prepared for searches. */
export interface KnownSecrets {
  readonly texts: readonly string[];
  readonly exact: ExactFinder;
}

/**
 * Returns the same object while the secrets are unchanged, because a matcher of many spellings takes longer to create
 * than to use.
 */
export function knownSecrets(secrets: () => readonly string[]): () => KnownSecrets {
  let known: KnownSecrets | undefined;
  return () => {
    const texts = secrets();
    if (known === undefined || !hasSame(known.texts, texts)) known = { texts: [...texts], exact: exactFinder(texts) };
    return known;
  };
}

/** Returns true if two lists have the same items in the same order. */
export function hasSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Shorter secrets occur in texts by chance. */
const shortest = 8;

/** Finds known secrets in every usual spelling. */
export function exactFinder(secrets: readonly string[]): ExactFinder {
  const known = [...new Set(secrets)].filter(({ length }) => length >= shortest);
  if (known.length === 0) return { find: () => [] };
  const matcher = createMatcher(known.flatMap((secret) => encodingsOf(secret).map((bytes) => ({ bytes, of: secret }))));
  return {
    find(text) {
      const bytes = Buffer.from(text);
      const matches = matcher.find(bytes);
      if (matches.length === 0) return [];
      const unitAt = bytes.length === text.length ? (at: number): number => at : unitsIn(bytes);
      return matches.map(({ start, end }) => ({ start: unitAt(start), end: unitAt(end) }));
    },
  };
}

/**
 * In ASCII text, octets and code units are the same. Attack: otherwise each of a million matches would be counted from
 * the start.
 */
function unitsIn(bytes: Buffer): (at: number) => number {
  let known = 0;
  let units = 0;
  return (at) => {
    for (; known < at; known += 1) units += unitsOf(bytes[known]);
    for (; known > at; known -= 1) units -= unitsOf(bytes[known - 1]);
    return units;
  };
}

/**
 * Returns the number of UTF-16 code units for the character that begins with this octet. Four octets of UTF-8 are two
 * code units.
 */
function unitsOf(byte = 0): number {
  if (byte >= 0xf0) return 2;
  return (byte & 0xc0) === 0x80 ? 0 : 1;
}
