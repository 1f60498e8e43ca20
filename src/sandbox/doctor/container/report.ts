import type { GuaranteeVector } from '../../../backends/backend.ts';
import { changesFor, type ContainerChange, type FailedStep } from './changes.ts';
import type { ContainerEngine, Surroundings } from './signs.ts';

/** Findings about one backend. */
interface Seen {
  readonly name: string;
  readonly guarantees: GuaranteeVector;
  readonly start: { readonly kind: 'works' } | { readonly kind: 'fails'; readonly step?: FailedStep };
}

/** The container around Holdfast, and the changes that it needs. */
export interface ContainerReport extends Surroundings {
  /** Changes that remove the obstacles of backends which fail because of the container. */
  readonly changes: readonly (ContainerChange & { readonly backends: readonly string[] })[];
  /** Guarantees that Landlock alone leaves open, if it works and the native backend does not. */
  readonly landlock: 'not needed' | 'fails' | { readonly partial: readonly string[] };
}

/** Other backends have the same needs as the native backend, so they are left out. */
const asked: ReadonlySet<string> = new Set(['native', 'landlock']);

export function reportContainer(backends: readonly Seen[], at: Surroundings): ContainerReport {
  const met = backends
    .filter(({ name }) => asked.has(name))
    .map(({ name, start }) => ({ name, found: changesOf(start, at) }));
  const distinct = new Map(met.flatMap(({ found }) => found.map((change) => [change.obstacle, change])));
  const changes = [...distinct.values()].map((change) => ({
    ...change,
    backends: met.flatMap(({ name, found }) =>
      found.some(({ obstacle }) => obstacle === change.obstacle) ? [name] : [],
    ),
  }));
  return { ...at, changes, landlock: landlockOf(backends) };
}

function changesOf(start: Seen['start'], at: Surroundings): readonly ContainerChange[] {
  return start.kind === 'fails' && start.step !== undefined ? changesFor([start.step], at) : [];
}

function landlockOf(backends: readonly Seen[]): ContainerReport['landlock'] {
  if (backends.some(({ name, start }) => name === 'native' && start.kind === 'works')) return 'not needed';
  const landlock = backends.find(({ name }) => name === 'landlock');
  if (landlock?.start.kind !== 'works') return 'fails';
  return { partial: Object.entries(landlock.guarantees).flatMap(([name, how]) => (how === 'kernel' ? [] : [name])) };
}

const engineNames: Readonly<Record<Exclude<ContainerEngine, 'none'>, string>> = {
  kubernetes: 'a pod of Kubernetes',
  podman: 'a container of podman',
  docker: 'a container of Docker',
  nspawn: 'a container of systemd-nspawn',
  lxc: 'a container of LXC',
  container: 'a container',
};

/** Returns lines for a person. Empty on a machine that is not a container. */
export function describeContainer(report: ContainerReport): readonly string[] {
  const { engine, within, filter, masked, apparmor, changes, landlock } = report;
  const made = within.length === 0 ? [] : [`inside          ${within.join(', ')}`];
  if (engine === 'none') return made;
  const about = [
    engineNames[engine],
    ...within,
    filter === 'present' ? 'a seccomp filter' : 'no seccomp filter',
    ...(masked.length === 0 ? [] : ['parts of /proc are covered']),
    ...(apparmor === '' ? [] : [`AppArmor ${apparmor}`]),
  ];
  return [
    `inside          ${about.join('; ')}`,
    ...changes.map(({ backends, change }) => `to change       for ${backends.join(' and ')}: ${change}`),
    ...describeLandlock(landlock),
  ];
}

function describeLandlock(landlock: ContainerReport['landlock']): readonly string[] {
  if (landlock === 'not needed') return [];
  return landlock === 'fails'
    ? ['without it      no backend works in this container']
    : [`without it      --backend landlock holds, but ${landlock.partial.join(', ')} in part or not at all`];
}
