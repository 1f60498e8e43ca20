import type { Finding } from '../types.ts';

/**
 * Findings in order, none over another one: the earlier and longer one holds, and of a later one what goes beyond it. Nothing that
 * was found is left uncovered. A session's own secrets hold before all others, and then those of the higher rank. Attack: a rule with a
 * milder mode that finds a key and what stands around it.
 */
export function settle(secrets: readonly Finding[], others: readonly Finding[], rank: (rule: string) => number = () => 0): readonly Finding[] {
  const held = withoutOverlap(secrets);
  if (others.length === 0) return held;
  const ranked = [...Map.groupBy(others, ({ rule }) => rank(rule))].toSorted(([one], [other]) => other - one);
  return ranked.reduce((all, [, found]) => beside(all, withoutOverlap(found)), held);
}

function beside(held: readonly Finding[], rest: readonly Finding[]): readonly Finding[] {
  return held.length === 0 ? rest : [...held, ...outside(rest, held)].toSorted(inOrder);
}

function withoutOverlap(findings: readonly Finding[]): readonly Finding[] {
  const kept: Finding[] = [];
  let covered = 0;
  for (const finding of findings.toSorted(inOrder)) {
    if (finding.end <= Math.max(covered, finding.start)) continue;
    kept.push(finding.start >= covered ? finding : { ...finding, start: covered });
    covered = finding.end;
  }
  return kept;
}

function inOrder(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end;
}

/** What of `findings` no one of `held` covers. Both are in order and without overlap. */
function outside(findings: readonly Finding[], held: readonly Finding[]): readonly Finding[] {
  const pieces: Finding[] = [];
  let next = 0;
  for (const { rule, start, end } of findings) {
    let from = start;
    while ((held[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    for (let index = next; (held[index]?.start ?? Number.POSITIVE_INFINITY) < end; index += 1) {
      const hole = held[index] ?? { start: end, end };
      if (hole.start > from) pieces.push({ rule, start: from, end: hole.start });
      from = hole.end;
    }
    if (from < end) pieces.push({ rule, start: from, end });
  }
  return pieces;
}
