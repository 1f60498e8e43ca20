import { normaliseHost } from '../normalise/host.ts';
import { pathComponents } from '../normalise/path.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import { isLiteralPattern, parsePathPattern } from '../patterns/path-pattern.ts';
import { substitution } from '../words/verdict-of.ts';
import type { DocumentFinding } from './problem.ts';
import type { RuleOf, RuleTable } from './rule-schema.ts';
import type { PolicyValue } from './types.ts';

/** Reports names used twice, redirects with a missing or wrong target, and lists that can match nothing. */
export function ruleFindings(value: PolicyValue): readonly DocumentFinding[] {
  const rules = placedRules(value);
  const proposals = (value.propose ?? []).map(({ name }, index) => ({ name, at: `propose[${index}]` }));
  return [
    ...duplicates([...rules.map(({ rule, at }) => ({ name: rule.name, at })), ...proposals]),
    ...rules.flatMap(redirectFindings),
    ...rules.flatMap(emptyFindings),
  ];
}

function duplicates(named: readonly { readonly name: string; readonly at: string }[]): readonly DocumentFinding[] {
  const seen = new Map<string, string>();
  return named.flatMap(({ name, at }) => {
    const first = seen.get(name);
    if (first === undefined) seen.set(name, at);
    return first === undefined
      ? []
      : [
          {
            at,
            message: `the name "${name}" is already used by ${first}`,
            remedy: 'give each rule a name of its own: verdicts and approvals are told apart by it',
          },
        ];
  });
}

function redirectFindings({ table, at, rule }: PlacedRule): readonly DocumentFinding[] {
  const target = 'redirect_to' in rule ? rule.redirect_to : undefined;
  if (rule.decision !== 'redirect') {
    return target === undefined
      ? []
      : [
          {
            at: `${at}.redirect_to`,
            message: `"${rule.name}" has a redirect_to but decides "${rule.decision}"`,
            remedy: 'decide "redirect", or leave redirect_to out',
          },
        ];
  }
  if (target === undefined)
    return [{ at, message: `"${rule.name}" redirects, but does not say where to`, remedy: 'add redirect_to = "…"' }];
  if (typeof target === 'object') return argvFindings(target, `${at}.redirect_to`);
  return isTarget(table, target)
    ? []
    : [
        {
          at: `${at}.redirect_to`,
          message: `"${target}" is not a place to redirect ${table} requests to`,
          remedy: targets[table] ?? 'name one place',
        },
      ];
}

const targets: Readonly<Partial<Record<RuleTable, string>>> = {
  file: 'write a path without wildcards',
  exec: 'write the absolute path of a program, or the words of a command: ["program", "{args}"]',
  connect: 'write host:port',
  http: 'write host:port',
  socket: 'write an absolute path, or @name',
  signal: 'write the name of one signal, such as SIGTERM',
  registry_rule: 'write a registry key',
};

/**
 * Checks the arguments of another command. The program must be one known word, because a misspelt substitution would
 * count as a word.
 */
function argvFindings([program = '', ...words]: readonly string[], at: string): readonly DocumentFinding[] {
  const bad = [program, ...words].find((word) => /\0|\p{Cc}/u.test(word));
  if (bad !== undefined)
    return [{ at, message: `${JSON.stringify(bad)} holds a control character`, remedy: 'leave it out' }];
  if (program === '' || /^[{]|\s/u.test(program))
    return [
      {
        at: `${at}[0]`,
        message: `"${program}" is not a program`,
        remedy: 'write the name or the absolute path of a program, and each of its words as an item of its own',
      },
    ];
  return words.flatMap((word, index) =>
    /^\{\w*\}$/u.test(word) && !substitution.test(word)
      ? [
          {
            at: `${at}[${index + 1}]`,
            message: `"${word}" has no meaning here`,
            remedy:
              'write "{args}" for all words after the program, "{rest}" for words outside the rule, "{operands}" for all operands, or "{1}" for the first operand',
          },
        ]
      : [],
  );
}

function isTarget(table: RuleTable, target: string): boolean {
  switch (table) {
    case 'file': {
      const pattern = parsePathPattern(target);
      return pattern.kind === 'path' && isLiteralPattern(pattern);
    }
    case 'exec':
      return pathComponents(target) !== undefined;
    case 'socket':
      return target.startsWith('@') || pathComponents(target) !== undefined;
    case 'signal':
      return /^(?:SIG)?[A-Z0-9]{2,9}$/iu.test(target);
    case 'connect':
    case 'http':
      return isOneHost(target);
    default:
      return !/[*?\p{Cc}]/u.test(target);
  }
}

function isOneHost(target: string): boolean {
  const pattern = parseHostPattern(target);
  if (pattern.kind === 'problem' || pattern.ports === undefined || pattern.ports.from !== pattern.ports.to)
    return false;
  return (
    pattern.host.kind === 'localhost' ||
    (pattern.host.kind === 'exact' && normaliseHost(pattern.host.text) !== undefined)
  );
}

/** A rule with an empty list of subjects can never match. */
function emptyFindings({ at, rule }: PlacedRule): readonly DocumentFinding[] {
  return Object.entries(rule).flatMap(([key, list]) =>
    Array.isArray(list) && list.length === 0
      ? [
          {
            at: `${at}.${key}`,
            message: `"${rule.name}" can never match: ${key} is empty`,
            remedy: `name something, or leave ${key} out`,
          },
        ]
      : [],
  );
}

export const ruleTables: readonly RuleTable[] = [
  'file',
  'exec',
  'connect',
  'http',
  'dns',
  'socket',
  'signal',
  'env',
  'tool',
  'trust',
  'registry_rule',
];

/** A rule with its place. */
export interface PlacedRule {
  readonly table: RuleTable;
  readonly index: number;
  /** `exec[2]`. */
  readonly at: string;
  readonly rule: RuleOf<RuleTable>;
}

/** Returns every rule of a document. */
function placedRules(value: PolicyValue): readonly PlacedRule[] {
  return ruleTables.flatMap((table) => {
    const rules: readonly RuleOf<RuleTable>[] = value[table] ?? [];
    return rules.map((rule, index) => ({ table, index, at: `${table}[${index}]`, rule }));
  });
}
