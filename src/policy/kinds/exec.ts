import type { RuleOf } from '../document/types.ts';
import { type CommandEntry, commandIndex, type CommandIndex } from '../patterns/command-index.ts';
import type { CommandPattern } from '../patterns/command-pattern.ts';
import { pathComponents } from '../normalise/path.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import { compileWildcard, escapeWildcard } from '../patterns/wildcard.ts';
import type { ExecRequest } from '../request.ts';
import type { Clause } from './clause.ts';
import { knownCommand } from './known-pattern.ts';

export interface ExecMatcher {
  readonly pattern: CommandPattern;
  readonly context?: ExecRequest['context'] | undefined;
}

export type ExecClause<Value> = Clause<ExecMatcher, Value>;

export function execRuleClauses<Value>(rule: RuleOf<'exec'>, clause: Omit<ExecClause<Value>, 'matcher'>): readonly ExecClause<Value>[] {
  return rule.commands.map((command) => ({ ...clause, matcher: { pattern: knownCommand(command), context: rule.context } }));
}

export function execIndex<Value>(clauses: readonly ExecClause<Value>[], roots: Roots): CommandIndex<Value> {
  return commandIndex(
    clauses.map((clause, order) => execEntry(clause, order, roots)),
    (program) => isPlanted(program, roots.workspace),
  );
}

function execEntry<Value>({ matcher, value, effect }: ExecClause<Value>, order: number, roots: Roots): CommandEntry<Value> {
  const { context, pattern } = matcher;
  const entry = { pattern: placed(pattern, roots), order, value, programs: effect === 'allows' ? 'trusted' : 'any' } as const;
  return context === undefined ? entry : { ...entry, context };
}

/** `./build.sh` is meant below the workspace, as relative paths are everywhere in a policy. */
function placed(pattern: CommandPattern, roots: Roots): CommandPattern {
  const { source } = pattern.program;
  if (!source.includes('/') || source.startsWith('/')) return pattern;
  const below = source.startsWith('~/') ? `${escapeWildcard(roots.home)}/${source.slice(2)}` : `${escapeWildcard(roots.workspace)}/${source.replace(/^\.\//, '')}`;
  return { ...pattern, program: compileWildcard(below) };
}

/** Directories that every user may write to, and so may anything in the box. */
const shared = ['/tmp/', '/var/tmp/', '/dev/shm/'];

/** A program that the box could have put there itself (attack: `./git` or `node_modules/.bin/node` ahead of the real one). */
function isPlanted(program: string, workspace: string): boolean {
  if (!program.includes('/')) return false;
  const components = pathComponents(program);
  if (components === undefined) return true;
  const path = `/${components.join('/')}`;
  return path.startsWith(`${workspace}/`) || shared.some((directory) => path.startsWith(directory));
}
