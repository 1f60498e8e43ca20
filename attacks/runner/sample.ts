import { createHash } from 'node:crypto';
import type { Backend, Trial, UserName } from './attack.ts';

export interface Combinations {
  readonly backends: readonly Backend[];
  readonly users: readonly UserName[];
}

/**
 * Every attack and case once, by one user on one backend of those that it is for: which one follows from its name, so that
 * equal runs try equal things and each combination gets its share. Two runs instead of six.
 */
export function sampleOf(trials: readonly Trial[], { backends, users }: Combinations): readonly Trial[] {
  const byCase = Map.groupBy(trials.filter(({ user }) => users.includes(user)), nameOf);
  return [...byCase].flatMap(([name, group]) => {
    const digest = createHash('sha256').update(name).digest();
    const trial = group[(digest[0] ?? 0) % group.length];
    const possible = trial?.attack.backends.filter((backend) => backends.includes(backend)) ?? [];
    const backend = possible[(digest[1] ?? 0) % possible.length];
    return trial === undefined || backend === undefined ? [] : [{ ...trial, attack: { ...trial.attack, backends: [backend] } }];
  });
}

function nameOf({ attack, variant }: Trial): string {
  return `${attack.name} ${variant ?? ''}`;
}
