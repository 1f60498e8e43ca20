import type { LimitSettings } from '../layers/settings.ts';
import type { Amount } from '../layers/quantities.ts';
import type { Policy } from '../policy.ts';

/** Absent means unlimited. */
export interface Limits {
  /** Bytes. */
  readonly memory?: number;
  readonly processes?: number;
  /** Cores, e.g. 1.5. */
  readonly cpus?: number;
  /** Milliseconds of processor time for each process. */
  readonly cpuTime?: number;
  /** Bytes. */
  readonly fileSize?: number;
  readonly openFiles?: number;
  /** Bytes of the private `/tmp`. */
  readonly tmp?: number;
  /** Bytes on disk of a staged layer. */
  readonly staged?: number;
  /** Bytes of everything in the user's trash. */
  readonly trash?: number;
  /** Milliseconds that something stays in the trash. */
  readonly trashAge?: number;
  /** Milliseconds from start to end. */
  readonly wall?: number;
}

export interface LimitFacts {
  /** Bytes of main memory, of which `"75%"` is a share. */
  readonly memory: number;
}

/** The lowest limit that any layer sets, for each resource. */
export function limitsOf(policy: Policy, facts: LimitFacts): Limits {
  const all = policy.layers.map(({ settings }) => settings.limits);
  const lowest = (read: (limits: LimitSettings) => number | undefined): number | undefined => {
    const values = all.flatMap((limits) => read(limits) ?? []);
    return values.length === 0 ? undefined : Math.min(...values);
  };
  return withoutUndefined({
    memory: lowest(({ memory }) => bytesOf(memory?.value, facts)),
    processes: lowest(({ processes }) => processes?.value),
    cpus: lowest(({ cpus }) => cpus?.value),
    cpuTime: lowest(({ cpuTime }) => cpuTime?.value),
    fileSize: lowest(({ fileSize }) => fileSize?.value),
    openFiles: lowest(({ openFiles }) => openFiles?.value),
    tmp: lowest(({ tmp }) => bytesOf(tmp?.value, facts)),
    staged: lowest(({ staged }) => staged?.value),
    trash: lowest(({ trash }) => trash?.value),
    trashAge: lowest(({ trashAge }) => trashAge?.value),
    wall: lowest(({ wall }) => wall?.value),
  });
}

function bytesOf(amount: Amount | undefined, facts: LimitFacts): number | undefined {
  if (amount === undefined) return undefined;
  return amount.kind === 'bytes' ? amount.bytes : Math.floor(amount.share * facts.memory);
}

function withoutUndefined(limits: { readonly [Key in keyof Limits]-?: Limits[Key] | undefined }): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Limits;
}
