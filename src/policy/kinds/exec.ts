import type { RuleOf } from '../document/rule-schema.ts';
import { type CommandEntry, commandIndex, type CommandIndex } from '../patterns/command-index.ts';
import { type CommandPattern, exactCommand } from '../patterns/command-pattern.ts';
import { pathComponents } from '../normalise/path.ts';
import { canonicalise } from '../patterns/command-words.ts';
import type { MatchReach } from '../patterns/matches-words.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import { compileWildcard, escapeWildcard } from '../patterns/wildcard.ts';
import type { ExecRequest } from '../request.ts';
import type { Clause } from './signal.ts';
import { knownCommand } from './known-pattern.ts';

export interface ExecMatcher {
  readonly pattern: CommandPattern;
  readonly context?: ExecRequest['context'] | undefined;
  /** Default: as wide as the effect allows. */
  readonly reach?: MatchReach;
}

export type ExecClause<Value> = Clause<ExecMatcher, Value>;

export function execRuleClauses<Value>(
  rule: RuleOf<'exec'>,
  clause: Omit<ExecClause<Value>, 'matcher'>,
): readonly ExecClause<Value>[] {
  return execPatterns(rule).map((pattern) => ({
    ...clause,
    matcher: { pattern, context: rule.context, reach: rule.decision === 'allow' ? 'narrow' : 'wide' },
  }));
}

/** Patterns of a rule about commands. */
export function execPatterns({
  commands = [],
  exactly,
}: Pick<RuleOf<'exec'>, 'commands' | 'exactly'>): readonly CommandPattern[] {
  return exactly === undefined ? commands.map(knownCommand) : [exactCommand(exactly)];
}

export function execIndex<Value>(clauses: readonly ExecClause<Value>[], roots: Roots): CommandIndex<Value> {
  return commandIndex(
    clauses.map((clause, order) => execEntry(clause, order, roots)),
    { isPlanted: (program) => isPlanted(program, roots.workspace), canonicalise },
  );
}

function execEntry<Value>(
  { matcher, value, effect }: ExecClause<Value>,
  order: number,
  roots: Roots,
): CommandEntry<Value> {
  const { context, pattern, reach } = matcher;
  const entry = {
    pattern: placed(pattern, roots),
    order,
    value,
    programs: effect === 'allows' ? 'trusted' : 'any',
    words: reach ?? (effect === 'allows' ? 'narrow' : 'wide'),
  } as const;
  return context === undefined ? entry : { ...entry, context };
}

/** `./build.sh` is below the workspace, like all relative paths of a policy. */
function placed(pattern: CommandPattern, roots: Roots): CommandPattern {
  const { source } = pattern.program;
  if (!source.includes('/') || source.startsWith('/')) return pattern;
  const below = source.startsWith('~/')
    ? `${escapeWildcard(roots.home)}/${source.slice(2)}`
    : `${escapeWildcard(roots.workspace)}/${source.replace(/^\.\//, '')}`;
  return { ...pattern, program: compileWildcard(below) };
}

/** Directories that every user may write to, and so the box too. */
const shared = ['/tmp/', '/var/tmp/', '/dev/shm/'];

/**
 * Whether the box could have put the program there itself. Attack: `./git` or `node_modules/.bin/node` ahead of the
 * real one.
 */
function isPlanted(program: string, workspace: string): boolean {
  if (!program.includes('/')) return false;
  const components = pathComponents(program);
  if (components === undefined) return true;
  const path = `/${components.join('/')}`;
  return path.startsWith(`${workspace}/`) || shared.some((directory) => path.startsWith(directory));
}
