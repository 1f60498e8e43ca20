import { nearest } from '../document/suggest.ts';
import { type Problem, problemAt } from '../document/problem.ts';
import type { Policy } from '../policy.ts';

/** Built-in rules that ask. */
const builtinQuestions: readonly string[] = ['commands.unknown', 'tools.default', 'trust.default'];

/** Names below `approvals.totp` that nothing which asks is called: a code would be thought to be needed where none is. */
export function totpProblems({ layers }: Policy): readonly Problem[] {
  const wanted = layers.flatMap(({ settings: { approvals } }) => approvals?.totp ?? []);
  if (wanted.length === 0) return [];
  const uses = layers.flatMap((layer) => layer.uses());
  const asking = new Set([...uses.flatMap(({ decision, origin: { rule } }) => (decision === 'ask' ? [rule, listOf(rule)] : [])), ...builtinQuestions]);
  const others = new Set(uses.map(({ origin: { rule } }) => rule));
  return wanted.flatMap(({ value: name, origin }): readonly Problem[] => {
    if (asking.has(name)) return [];
    if (others.has(name)) return [problemAt(origin, `"${name}" never asks, so that no code is ever needed for it`, 'let it decide "ask", or take it out of approvals.totp')];
    const meant = nearest(name, [...asking]);
    return [problemAt(origin, `no rule that asks is called "${name}"`, meant === undefined ? 'write the name of a rule that decides "ask", or take it out of approvals.totp' : `did you mean "${meant}"?`)];
  });
}

/** `commands.ask` of `commands.ask[3]`. */
function listOf(rule: string): string {
  return rule.replace(/\[\d+\]$/u, '');
}
