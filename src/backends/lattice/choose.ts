import type { Guarantee } from '../../plan/types.ts';
import type { BackendName, GuaranteeVector } from '../backend.ts';
import { atLeast, joinVectors, lacking, vectorOf } from './vectors.ts';

/** A backend's state on this machine. */
export interface BackendCandidate {
  readonly name: BackendName;
  readonly vector: GuaranteeVector;
  /** Reason that it cannot be used here. Undefined if it can. */
  readonly trouble?: string;
}

export interface Lacking {
  readonly name: BackendName;
  /** Demanded guarantees that it lacks. Empty if it has all of them but cannot be used. */
  readonly guarantees: readonly Guarantee[];
  readonly trouble?: string;
}

export type Choice =
  | { readonly kind: 'chosen'; readonly name: BackendName }
  | { readonly kind: 'refused'; readonly lacking: readonly Lacking[] };

/** Fastest first. Backends with their own kernel are slower, and are used only on demand. */
const order: readonly BackendName[] = ['native', 'bubblewrap', 'landlock', 'gvisor', 'microvm'];
const slow: ReadonlySet<BackendName> = new Set(['gvisor', 'microvm']);

/**
 * Returns the first usable backend that provides every demanded guarantee. There is no fallback to a weaker backend, or
 * to running without one.
 */
export function chooseCandidate(candidates: readonly BackendCandidate[], demand: GuaranteeVector): Choice {
  const considered = order
    .flatMap((name) => candidates.filter((candidate) => candidate.name === name))
    .filter(({ name }) => isConsidered(name, demand));
  const chosen = considered.find(({ vector, trouble }) => trouble === undefined && atLeast(vector, demand));
  if (chosen !== undefined) return { kind: 'chosen', name: chosen.name };
  return {
    kind: 'refused',
    lacking: considered.map(({ name, vector, trouble }) => ({
      name,
      guarantees: lacking(vector, demand),
      ...(trouble === undefined ? {} : { trouble }),
    })),
  };
}

/** Whether `auto` considers a backend at all. */
function isConsidered(name: BackendName, demand: GuaranteeVector): boolean {
  return !slow.has(name) || demand['kernel.separate'] !== 'none' || demand['hardware.separate'] !== 'none';
}

/**
 * Returns guarantees that a named backend lacks, for a backend that only a narrowing policy names. Counts the demanded
 * guarantees, and those of the backend that would otherwise be chosen. Staging is left out, because `--staged` itself
 * refuses a backend without it.
 */
export function lackingAsNamed(
  named: GuaranteeVector,
  demand: GuaranteeVector,
  otherwise: GuaranteeVector | undefined,
): readonly Guarantee[] {
  const held =
    otherwise === undefined
      ? demand
      : joinVectors(
          demand,
          vectorOf((guarantee) => (guarantee === 'fs.stage' ? 'none' : otherwise[guarantee])),
        );
  return lacking(named, held);
}
