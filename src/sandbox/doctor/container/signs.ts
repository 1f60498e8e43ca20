import { existsSync, readFileSync } from 'node:fs';

/** Signs of a container around this process. */
export interface SurroundingFacts {
  /** The paths of `signFiles` that exist. */
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

/** The surroundings of Holdfast, and the facilities that the container withholds. */
export interface Surroundings {
  readonly engine: ContainerEngine;
  /** The job or editor that created the container, for the reader. */
  readonly within: readonly string[];
  readonly filter: 'present' | 'absent';
  /** Mounts of the engine over parts of /proc. With them, the kernel refuses a new /proc. */
  readonly masked: readonly string[];
  /** AppArmor profile, if it confines this process. */
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

/** The first sign found names the engine. A pod is also a container of some engine, so the order matters. */
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
  // A machine has its root on a disk. Only live images have it on an overlay too, and they mask nothing.
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

/** Files whose existence is a sign. */
const signFiles = ['/run/.containerenv', '/.dockerenv', '/var/run/secrets/kubernetes.io'] as const;

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

/** Reads the facts that `surroundingsOf` needs. Unreadable files do not count as a sign. */
export function readSurroundings(environment: SurroundingFacts['environment']): SurroundingFacts {
  return {
    files: new Set(signFiles.filter((path) => existsSync(path))),
    environment,
    manager: textOf('/run/systemd/container').trim(),
    cgroup: textOf('/proc/self/cgroup'),
    mounts: textOf('/proc/self/mountinfo'),
    status: textOf('/proc/self/status'),
    apparmor: textOf('/proc/self/attr/current').replaceAll('\0', '').trim(),
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
