import type { Effects, HostEffect, Opacity, PathEffect, RunEffect, Word } from '../types.ts';

export const noEffects: Effects = { reads: [], writes: [], runs: [], hosts: [], opaque: [] };

/** Both together. */
export function both(one: Effects, other: Effects): Effects {
  if (one === noEffects) return other;
  if (other === noEffects) return one;
  return {
    reads: joined(one.reads, other.reads),
    writes: joined(one.writes, other.writes),
    runs: joined(one.runs, other.runs),
    hosts: joined(one.hosts, other.hosts),
    opaque: joined(one.opaque, other.opaque),
  };
}

/** All together. Not pair by pair: thousands of redirects would be copied thousands of times. */
export function together(all: readonly Effects[]): Effects {
  const some = all.filter((effects) => effects !== noEffects);
  if (some.length < 3) return some.reduce(both, noEffects);
  return {
    reads: some.flatMap(({ reads }) => reads),
    writes: some.flatMap(({ writes }) => writes),
    runs: some.flatMap(({ runs }) => runs),
    hosts: some.flatMap(({ hosts }) => hosts),
    opaque: some.flatMap(({ opaque }) => opaque),
  };
}

function joined<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return one.length === 0 ? other : other.length === 0 ? one : [...one, ...other];
}

/** One reason, where `word` stands. */
export function reason(kind: Opacity['kind'], message: string, word: Pick<Word, 'span'>): Effects {
  return { ...noEffects, opaque: [{ kind, message, span: word.span }] };
}

export const readsPath = (path: PathEffect): Effects => ({ ...noEffects, reads: [path] });
export const writesPath = (path: PathEffect): Effects => ({ ...noEffects, writes: [path] });
export const reachesHost = (host: HostEffect): Effects => ({ ...noEffects, hosts: [host] });
export const runsCode = (run: RunEffect): Effects => ({ ...noEffects, runs: [run] });
