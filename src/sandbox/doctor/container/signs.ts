/** What the machine shows of the container that this process is in. */
export interface SurroundingFacts {
  /** Which of `signFiles` are there. */
  readonly files: ReadonlySet<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name in `/run/systemd/container`, or empty. */
  readonly manager: string;
  /** Text of `/proc/self/cgroup`. */
  readonly cgroup: string;
  /** Text of `/proc/self/mountinfo`. */
  readonly mounts: string;
  /** Text of `/proc/self/status`. */
  readonly status: string;
  /** Text of `/proc/self/attr/current`: the AppArmor profile, or empty. */
  readonly apparmor: string;
}

export type ContainerEngine = 'kubernetes' | 'podman' | 'docker' | 'nspawn' | 'lxc' | 'container' | 'none';

/** Where Holdfast runs, and what the container keeps from it. */
export interface Surroundings {
  readonly engine: ContainerEngine;
  /** A job or an editor that made the container, for the person who reads it. */
  readonly within: readonly string[];
  readonly filter: 'present' | 'absent';
  /** What the engine mounted over parts of /proc: the kernel then gives no new one. */
  readonly masked: readonly string[];
  /** AppArmor's profile, where it confines this process. */
  readonly apparmor: string;
}

interface Sign<Name extends string> {
  readonly name: Name;
  readonly seen: (facts: SurroundingFacts) => boolean;
}

const file =
  (path: string) =>
  ({ files }: SurroundingFacts): boolean =>
    files.has(path);
const set =
  (...names: readonly string[]) =>
  ({ environment }: SurroundingFacts): boolean =>
    names.some((name) => (environment[name] ?? '') !== '');

/** The first sign that is seen names the engine: a pod is also a container of some engine. */
const engines: readonly Sign<ContainerEngine>[] = [
  { name: 'kubernetes', seen: set('KUBERNETES_SERVICE_HOST') },
  { name: 'kubernetes', seen: file('/var/run/secrets/kubernetes.io') },
  { name: 'kubernetes', seen: ({ cgroup }) => cgroup.includes('kubepods') },
  { name: 'podman', seen: file('/run/.containerenv') },
  { name: 'docker', seen: file('/.dockerenv') },
  { name: 'docker', seen: ({ cgroup }) => /[/:]docker[/-]/u.test(cgroup) },
  { name: 'nspawn', seen: ({ manager }) => manager === 'systemd-nspawn' },
  { name: 'lxc', seen: ({ manager, environment }) => [manager, environment['container']].includes('lxc') },
  { name: 'lxc', seen: ({ cgroup }) => /[/:]lxc/u.test(cgroup) },
  { name: 'container', seen: set('container') },
  { name: 'container', seen: ({ manager }) => manager !== '' && manager !== 'wsl' },
  // The root of a machine is on a disk. Images of live systems alone are on an overlay too, and mask nothing.
  {
    name: 'container',
    seen: (facts) => / \/ \/ \S+ (?:\S+ )*- overlay /u.test(facts.mounts) && maskedPaths(facts).length > 0,
  },
];

const makers: readonly Sign<string>[] = [
  { name: 'GitHub Actions', seen: set('GITHUB_ACTIONS') },
  { name: 'GitLab CI', seen: set('GITLAB_CI') },
  { name: 'Jenkins', seen: set('JENKINS_URL') },
  { name: 'Buildkite', seen: set('BUILDKITE') },
  { name: 'CircleCI', seen: set('CIRCLECI') },
  { name: 'Azure Pipelines', seen: set('TF_BUILD') },
  { name: 'a GitHub Codespace', seen: set('CODESPACES') },
  { name: 'a dev container', seen: set('REMOTE_CONTAINERS', 'DEVCONTAINER') },
];

/** Files whose presence is a sign. */
export const signFiles = ['/run/.containerenv', '/.dockerenv', '/var/run/secrets/kubernetes.io'] as const;

export function surroundingsOf(facts: SurroundingFacts): Surroundings {
  return {
    engine: engines.find(({ seen }) => seen(facts))?.name ?? 'none',
    within: makers.filter(({ seen }) => seen(facts)).map(({ name }) => name),
    filter: /^Seccomp:\s*2$/mu.test(facts.status) ? 'present' : 'absent',
    masked: maskedPaths(facts),
    apparmor: /^unconfined|^$/u.test(facts.apparmor) ? '' : facts.apparmor,
  };
}

function maskedPaths({ mounts }: SurroundingFacts): readonly string[] {
  const points = mounts.split('\n').map((line) => line.split(' ')[4] ?? '');
  return points.filter((point) => point.startsWith('/proc/') && !point.startsWith('/proc/sys/fs/binfmt_misc'));
}
