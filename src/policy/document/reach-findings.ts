import { knownCommand, knownHost, knownPath } from '../kinds/known-pattern.ts';
import type { Decision } from '../verdict.ts';
import { commandCovers, hostCovers, pathCovers, textCovers } from '../patterns/covers.ts';
import { type CommandPattern, commandPatternOf, exactCommand } from '../patterns/command-pattern.ts';
import type { MatchReach } from '../patterns/matches-words.ts';
import { resolvePath } from '../patterns/resolve-path.ts';
import { examplePlaces } from './example-request.ts';
import type { DocumentFinding } from './problem.ts';
import { ruleTables } from './rule-findings.ts';
import type { RuleOf, RuleTable } from './rule-schema.ts';
import type { PolicyValue } from './types.ts';

/** A pattern that can report whether it covers another one. Compiled once. */
type Pattern = { readonly source: string; readonly covers: (other: Pattern) => boolean; readonly value: unknown };

/**
 * Most comparisons before the search stops. The search is only a courtesy, and a hostile file must not make it
 * expensive.
 */
const budget = 200_000;

/** Reports statements without effect because earlier ones cover them. */
export function reachFindings(value: PolicyValue): readonly DocumentFinding[] {
  const spent = { comparisons: 0 };
  return [
    ...listPairs.flatMap((pair) => listFindings(value, pair, spent)),
    ...ruleTables.flatMap((table) => ruleFindingsOf(value, table, spent)),
  ];
}

interface Spent {
  comparisons: number;
}

interface ListPair {
  /** The statement that decides first. */
  readonly stronger: string;
  readonly weaker: string;
  readonly compile: (source: string) => Pattern;
}

const path = patternOf((source) => resolvePath(knownPath(source), examplePlaces, 'folded'), pathCovers);
const host = patternOf(knownHost, hostCovers);
const command = commandWithin('wide');
const text = patternOf((source) => source, textCovers);

const listPairs: readonly ListPair[] = [
  { stronger: 'files.deny', weaker: 'files.read', compile: path },
  { stronger: 'files.deny', weaker: 'files.write', compile: path },
  { stronger: 'files.deny', weaker: 'files.ephemeral', compile: path },
  { stronger: 'files.deny', weaker: 'files.protect', compile: path },
  { stronger: 'files.protect', weaker: 'files.write', compile: path },
  { stronger: 'files.protect', weaker: 'files.ephemeral', compile: path },
  { stronger: 'network.deny', weaker: 'network.hosts', compile: host },
  { stronger: 'network.deny', weaker: 'network.passthrough', compile: host },
  { stronger: 'sockets.deny', weaker: 'sockets.allow', compile: text },
  { stronger: 'commands.deny', weaker: 'commands.ask', compile: command },
  { stronger: 'commands.deny', weaker: 'commands.allow', compile: command },
  { stronger: 'commands.ask', weaker: 'commands.allow', compile: command },
  { stronger: 'environment.deny', weaker: 'environment.pass', compile: text },
  { stronger: 'tools.deny', weaker: 'tools.ask', compile: text },
  { stronger: 'tools.deny', weaker: 'tools.allow', compile: text },
  { stronger: 'tools.ask', weaker: 'tools.allow', compile: text },
  { stronger: 'registry.deny', weaker: 'registry.allow', compile: text },
];

function listFindings(
  value: PolicyValue,
  { stronger, weaker, compile }: ListPair,
  spent: Spent,
): readonly DocumentFinding[] {
  const first = listAt(value, stronger).map(compile);
  if (first.length === 0) return [];
  return listAt(value, weaker).flatMap((source, index): readonly DocumentFinding[] => {
    const pattern = compile(source);
    const covering = first.findIndex((other) => isCovered(pattern, other, spent));
    if (covering === -1) return [];
    return [
      {
        at: `${weaker}[${index}]`,
        message: `"${source}" in ${weaker} has no effect: "${first[covering]?.source}" in ${stronger} is decided first`,
        remedy: `take it out of ${weaker}, or narrow ${stronger}`,
      },
    ];
  });
}

interface RuleShape {
  /** The key of the list with the rule's subjects. */
  readonly key: string;
  readonly compile: (source: string, decision?: Decision) => Pattern;
  /** A list whose items all have the same effect on one subject. */
  readonly whole?: {
    readonly key: string;
    readonly compile: (words: readonly string[], decision: Decision) => Pattern;
  };
  /** The list of the same kind that decides before all rules. */
  readonly denied?: string;
}

const shapes: Readonly<Record<RuleTable, RuleShape>> = {
  file: { key: 'paths', compile: path, denied: 'files.deny' },
  exec: {
    key: 'commands',
    compile: (source, decision) => commandWithin(reachOf(decision))(source),
    whole: {
      key: 'exactly',
      compile: (words, decision) =>
        commandWithin(reachOf(decision), () => exactCommand(words))(commandPatternOf(words)),
    },
    denied: 'commands.deny',
  },
  connect: { key: 'hosts', compile: host, denied: 'network.deny' },
  http: { key: 'hosts', compile: host, denied: 'network.deny' },
  dns: { key: 'names', compile: host },
  socket: { key: 'addresses', compile: text, denied: 'sockets.deny' },
  signal: { key: 'signals', compile: text },
  env: { key: 'names', compile: text, denied: 'environment.deny' },
  tool: { key: 'tools', compile: text, denied: 'tools.deny' },
  trust: { key: 'paths', compile: path },
  registry_rule: { key: 'keys', compile: text, denied: 'registry.deny' },
};

interface CompiledRule {
  readonly name: string;
  /** Undefined for everything. */
  readonly patterns: readonly Pattern[] | undefined;
  /** Further conditions by their key. */
  readonly conditions: Readonly<Record<string, unknown>>;
}

/** Parts of a rule other than its subject and conditions. */
const notConditions: ReadonlySet<string> = new Set([
  'name',
  'decision',
  'reason',
  'match',
  'not_match',
  'redirect_to',
  'env',
]);

function ruleFindingsOf(value: PolicyValue, table: RuleTable, spent: Spent): readonly DocumentFinding[] {
  const shape = shapes[table];
  const denied =
    shape.denied === undefined
      ? []
      : listAt(value, shape.denied).map((source) => ({
          name: shape.denied ?? '',
          patterns: [shape.compile(source)],
          conditions: {},
        }));
  const rules: readonly RuleOf<RuleTable>[] = value[table] ?? [];
  const before: CompiledRule[] = [...denied];
  return rules.flatMap((rule, index): readonly DocumentFinding[] => {
    const compiled = compileRule(rule, shape);
    const shadow = before.find((other) => shadows(other, compiled, spent));
    before.push(compiled);
    if (shadow === undefined) return [];
    return [
      {
        at: `${table}[${index}]`,
        message: `"${rule.name}" can never match: "${shadow.name}" comes first and matches all of it`,
        remedy: 'put it before the other one, narrow that, or take it out',
      },
    ];
  });
}

function compileRule(rule: RuleOf<RuleTable>, shape: RuleShape): CompiledRule {
  const keys = [shape.key, ...(shape.whole === undefined ? [] : [shape.whole.key])];
  const conditions = Object.fromEntries(
    Object.entries(rule).filter(([name]) => !keys.includes(name) && !notConditions.has(name)),
  );
  return { name: rule.name, patterns: patternsIn(rule, shape), conditions };
}

function patternsIn(rule: RuleOf<RuleTable>, { key, compile, whole }: RuleShape): readonly Pattern[] | undefined {
  const said = rule as Readonly<Record<string, unknown>>;
  const words = whole === undefined ? undefined : said[whole.key];
  if (whole !== undefined && Array.isArray(words)) return [whole.compile(words.map(String), rule.decision)];
  const main = said[key];
  return Array.isArray(main) ? main.map((source) => compile(String(source), rule.decision)) : undefined;
}

function shadows(earlier: CompiledRule, later: CompiledRule, spent: Spent): boolean {
  if (!conditionsCover(earlier.conditions, later.conditions)) return false;
  if (earlier.patterns === undefined) return true;
  return (
    later.patterns?.every((pattern) => earlier.patterns?.some((other) => isCovered(pattern, other, spent)) ?? false) ??
    false
  );
}

/** Each condition of the earlier rule must hold for everything that the later rule matches. */
function conditionsCover(
  earlier: Readonly<Record<string, unknown>>,
  later: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(earlier).every(([key, wanted]) => {
    const narrower = later[key];
    if (Array.isArray(wanted) && Array.isArray(narrower)) return narrower.every((item) => wanted.includes(item));
    return wanted === narrower;
  });
}

function isCovered(pattern: Pattern, by: Pattern, spent: Spent): boolean {
  spent.comparisons += 1;
  return spent.comparisons <= budget && by.covers(pattern);
}

function reachOf(decision: Decision | undefined): MatchReach {
  return decision === 'allow' ? 'narrow' : 'wide';
}

/**
 * An allowing rule matches arguments only as written. A restricting rule also matches other spellings, so it may still
 * have an effect.
 */
function commandWithin(
  reach: MatchReach,
  parse: (source: string) => CommandPattern = knownCommand,
): (source: string) => Pattern {
  return patternOf(
    (source) => ({ pattern: parse(source), reach }),
    (a, b) =>
      (a.reach === 'wide' || a.pattern.exactly !== undefined || b.reach === 'narrow' || a.pattern.words.length === 0) &&
      commandCovers(a.pattern, b.pattern),
  );
}

function patternOf<Value>(
  compile: (source: string) => Value,
  covers: (a: Value, b: Value) => boolean,
): (source: string) => Pattern {
  return (source) => {
    const value = compile(source);
    return { source, value, covers: (other) => covers(value, other.value as Value) };
  };
}

function listAt(value: PolicyValue, name: string): readonly string[] {
  const [section = '', key = ''] = name.split('.');
  const table = (value as Readonly<Record<string, unknown>>)[section];
  return (table as Readonly<Record<string, readonly string[] | undefined>> | undefined)?.[key] ?? [];
}
