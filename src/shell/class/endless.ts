import { plainText } from '../tools/words.ts';
import type { AnalysedInvocation, Analysis } from '../types.ts';

/**
 * Returns commands that call a function that they are part of, directly or through others: `:(){ :|:& };:`. Nobody
 * knows that it ends.
 */
export function endless({ invocations }: Analysis): ReadonlySet<number> {
  const calls = invocations.flatMap((invocation) => {
    const [within] = functionsAround(invocation, invocations).slice(-1);
    const called = plainText(invocation.argv[0]);
    return within === undefined || called === undefined ? [] : [{ id: invocation.id, within, called }];
  });
  const byFunction = new Map<string, Set<string>>();
  for (const { within, called } of calls) byFunction.set(within, (byFunction.get(within) ?? new Set()).add(called));
  return new Set(calls.filter(({ within, called }) => leadsTo(called, within, byFunction)).map(({ id }) => id));
}

/** For a command that another one runs: the functions around that one. */
function functionsAround(
  { inside, parent }: AnalysedInvocation,
  invocations: readonly AnalysedInvocation[],
): readonly string[] {
  let [around, above] = [inside, parent];
  while (around === undefined && above !== undefined) {
    const runner: AnalysedInvocation | undefined = invocations[above];
    [around, above] = [runner?.inside, runner?.parent];
  }
  return around ?? [];
}

function leadsTo(from: string, to: string, calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(calls.get(name) ?? []));
  }
  return false;
}
