import { createHash } from 'node:crypto';
import { trialName, type Attack, type Backend, type Trial, type UserName } from './attack.ts';

export interface Combinations {
  /** Those that work here. */
  readonly backends: readonly Backend[];
  readonly users: readonly UserName[];
}

/**
 * `turns`: deals out the cases of every attack among these backends, except for attacks with an option that one
 * refuses. `some`: additional cases of a family, of each or of so many families.
 */
type Share =
  | { readonly kind: 'turns'; readonly refuses: readonly string[] }
  | { readonly kind: 'some'; readonly perFamily: number; readonly families: number };

/**
 * An attack may have twenty cases, which differ by a word. `nightly.sh` tries all of them, by each user on each
 * backend.
 */
export const casesPerAttack = 1;

/** The costs of a box decide: milliseconds, a second for gVisor, some seconds for a microVM. */
export const shares: Readonly<Record<Backend, Share>> = {
  native: { kind: 'turns', refuses: [] },
  bubblewrap: { kind: 'turns', refuses: ['--staged'] },
  landlock: { kind: 'some', perFamily: 1, families: Infinity },
  gvisor: { kind: 'some', perFamily: 1, families: 24 },
  microvm: { kind: 'some', perFamily: 1, families: 8 },
};

/** Takes all cases where namespaces are forbidden, so that nobody takes turns. */
const withoutNamespaces: Backend = 'landlock';

/**
 * Every attack in up to `casesPerAttack` of its cases, each by one user on one of its backends. Some run again on the
 * other backends. The names decide the choice, so that equal runs try equal things and each combination gets its share.
 */
export function sampleOf(trials: readonly Trial[], { backends, users }: Combinations): readonly Trial[] {
  const cases = [
    ...Map.groupBy(
      trials.filter(({ user }) => users.includes(user)),
      trialName,
    ).values(),
  ];
  const dealt = backends.filter((backend) => shares[backend].kind === 'turns');
  const turning = dealt.length > 0 ? dealt : backends.filter((backend) => backend === withoutNamespaces);
  const others = backends.filter((backend) => !turning.includes(backend));
  return [
    ...cases.filter((group) => isAmongFirst(group, cases)).flatMap((group) => inTurn(group, turning)),
    ...others.flatMap((backend) => someOf(cases, backend)),
  ];
}

/** Of the cases of its attack, in the order of their digests. */
function isAmongFirst(group: readonly Trial[], cases: readonly (readonly Trial[])[]): boolean {
  const rank = (one: readonly Trial[]): string => digestOf(nameIn(one)).toString('hex');
  const own = rank(group);
  return (
    cases.filter((other) => other[0]?.attack.name === group[0]?.attack.name && rank(other) < own).length <
    casesPerAttack
  );
}

function inTurn(group: readonly Trial[], backends: readonly Backend[]): readonly Trial[] {
  const possible =
    group[0]?.attack.backends.filter(
      (backend) => backends.includes(backend) && group.every(({ attack }) => isTried(attack, backend)),
    ) ?? [];
  const backend = possible[(digestOf(nameIn(group))[1] ?? 0) % possible.length];
  return backend === undefined ? [] : pick(group, backend, nameIn(group));
}

function isTried({ flags }: Attack, backend: Backend): boolean {
  const share = shares[backend];
  return share.kind === 'some' || !share.refuses.some((flag) => flags.includes(flag));
}

function someOf(cases: readonly (readonly Trial[])[], backend: Backend): readonly Trial[] {
  const share = shares[backend];
  const { perFamily, families: mostFamilies } =
    share.kind === 'some' ? share : { perFamily: cases.length, families: cases.length };
  const rank = (group: readonly Trial[]): string => digestOf(`${backend} ${nameIn(group)}`).toString('hex');
  const possible = cases
    .filter(([first]) => first?.attack.backends.includes(backend) === true)
    .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const families = Map.groupBy(possible, ([first]) => first?.attack.family);
  return [...families.values()]
    .slice(0, mostFamilies)
    .flatMap((groups) => groups.slice(0, perFamily))
    .flatMap((group) => pick(group, backend, `${backend} ${nameIn(group)}`));
}

/** The case by one of its users, whom the seed chooses. */
function pick(group: readonly Trial[], backend: Backend, seed: string): readonly Trial[] {
  const trial = group[(digestOf(seed)[0] ?? 0) % group.length];
  return trial === undefined ? [] : [{ ...trial, attack: { ...trial.attack, backends: [backend] } }];
}

function nameIn([first]: readonly Trial[]): string {
  return first === undefined ? '' : `${first.attack.name} ${first.variant ?? ''}`;
}

function digestOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}
