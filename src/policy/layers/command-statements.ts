import type { Decision } from '../verdict.ts';
import { execPatterns } from '../kinds/exec.ts';
import { knownCommand } from '../kinds/known-pattern.ts';
import type { CommandPattern } from '../patterns/command-pattern.ts';
import type { LayerSource, ListName } from './source.ts';

/** A pattern about commands, with its decision. */
export interface CommandStatement {
  readonly pattern: CommandPattern;
  readonly decision: Decision;
  /** Undefined for both. */
  readonly context?: 'direct' | 'nested';
}

/** Returns statements in the order in which they are tried. */
export function commandStatements(source: LayerSource): readonly CommandStatement[] {
  const list = (name: ListName, decision: Decision): readonly CommandStatement[] =>
    (source.lists[name] ?? []).map(({ text }) => ({ pattern: knownCommand(text), decision }));
  const rules = source.rules.exec.flatMap(({ rule }) =>
    execPatterns(rule).map(
      (pattern): CommandStatement => ({
        pattern,
        decision: rule.decision,
        ...(rule.context === undefined ? {} : { context: rule.context }),
      }),
    ),
  );
  return [
    ...list('commands.deny', 'deny'),
    ...rules,
    ...list('commands.ask', 'ask'),
    ...list('commands.allow', 'allow'),
  ];
}
