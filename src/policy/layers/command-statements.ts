import type { Decision } from '../verdict.ts';
import { execPatterns } from '../kinds/exec.ts';
import { knownCommand } from '../kinds/known-pattern.ts';
import type { CommandStatement } from './layer.ts';
import type { LayerSource, ListName } from './source.ts';

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
