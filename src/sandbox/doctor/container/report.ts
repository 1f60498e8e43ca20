import type { GuaranteeVector } from '../../../backends/backend.ts';
import { changesFor, type ContainerChange, type FailedStep } from './changes.ts';
import type { Engine, Surroundings } from './signs.ts';

/** What was seen of one backend. */
interface Seen {
  readonly name: string;
  readonly guarantees: GuaranteeVector;
  readonly start: { readonly kind: 'works' } | { readonly kind: 'fails'; readonly step?: FailedStep };
}

/** The container around Holdfast, and what of it to change. */
export interface ContainerReport extends Surroundings {
  /** What stands in the way of each backend that fails because of the container. */
  readonly changes: readonly (ContainerChange & { readonly backend: string })[];
  /** What Landlock alone leaves open where it works and the native backend does not. */
  readonly landlock: 'not needed' | 'fails' | { readonly partial: readonly string[] };
}

/** Those of others repeat what the native backend needs. */
const asked: ReadonlySet<string> = new Set(['native', 'landlock']);

export function reportContainer(backends: readonly Seen[], at: Surroundings): ContainerReport {
  const changes = backends
    .filter(({ name }) => asked.has(name))
    .flatMap(({ name, start }) =>
      start.kind === 'fails' && start.step !== undefined
        ? changesFor([start.step], at).map((change) => ({ ...change, backend: name }))
        : [],
    );
  return { ...at, changes, landlock: landlockOf(backends) };
}

function landlockOf(backends: readonly Seen[]): ContainerReport['landlock'] {
  if (backends.some(({ name, start }) => name === 'native' && start.kind === 'works')) return 'not needed';
  const landlock = backends.find(({ name }) => name === 'landlock');
  if (landlock?.start.kind !== 'works') return 'fails';
  return { partial: Object.entries(landlock.guarantees).flatMap(([name, how]) => (how === 'kernel' ? [] : [name])) };
}

const engineNames: Readonly<Record<Exclude<Engine, 'none'>, string>> = {
  kubernetes: 'a pod of Kubernetes',
  podman: 'a container of podman',
  docker: 'a container of Docker',
  nspawn: 'a container of systemd-nspawn',
  lxc: 'a container of LXC',
  container: 'a container',
};

/** Lines for a person. None on a machine that is no container. */
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
    ...changes.map(({ backend, change }) => `to change       for ${backend}: ${change}`),
    ...describeLandlock(landlock),
  ];
}

function describeLandlock(landlock: ContainerReport['landlock']): readonly string[] {
  if (landlock === 'not needed') return [];
  return landlock === 'fails'
    ? ['without it      no backend works in this container']
    : [`without it      --backend landlock holds, but ${landlock.partial.join(', ')} in part or not at all`];
}
