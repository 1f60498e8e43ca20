import type { Outcome } from './ask-servers.ts';
import type { LookUp } from './look-up.ts';
import { contradictory, noAddress, noAnswer, noSuchName } from './refusals.ts';

/** No connection tries more. */
export const mostAddresses = 16;
/** Milliseconds. An address that is remembered for longer would outlive the owner's own idea of it. */
export const longestLifetime = 60_000;
/** Milliseconds for which it is remembered that there is nothing, or that one family was not heard of. */
export const negativeLifetime = 5000;

/** One answer from those for A and for AAAA. A contradiction in one spoils both: it is not what an honest server sends. */
export function mergeOutcomes(name: string, v4: Outcome, v6: Outcome): LookUp {
  const outcomes = [v4, v6];
  for (const outcome of outcomes) if (outcome.kind === 'contradictory') return { result: contradictory(name, outcome.reason), lifetime: 0 };
  const found = outcomes.filter((outcome) => outcome.kind === 'found');
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  const addresses = choose(addressesOf(v4), addressesOf(v6));
  if (addresses.length > 0) {
    const aliases = [...new Set(found.flatMap((outcome) => outcome.aliases))];
    const most = failed.length > 0 ? negativeLifetime : longestLifetime;
    return { result: { kind: 'resolved', aliases, addresses }, lifetime: Math.min(most, ...found.map(({ ttl }) => ttl * 1000)) };
  }
  if (failed.length > 0) return { result: noAnswer(name, [...new Set(failed.flatMap(({ reasons }) => reasons))]), lifetime: 0 };
  return { result: found.length > 0 ? noAddress(name) : noSuchName(name), lifetime: negativeLifetime };
}

function addressesOf(outcome: Outcome): readonly string[] {
  return outcome.kind === 'found' ? [...new Set(outcome.addresses)] : [];
}

/** When there are too many, each family keeps at least half of the places, if it fills them. */
function choose(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const half = mostAddresses / 2;
  const chosen = [...v4.slice(0, Math.max(half, mostAddresses - v6.length)), ...v6.slice(0, Math.max(half, mostAddresses - v4.length))];
  return [...new Set(chosen)];
}
