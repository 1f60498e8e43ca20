import { describe, expect, test } from 'vitest';
import { changesFor, type FailedStep, type ContainerObstacle, obstaclesOf } from './changes.ts';
import { describeContainer, reportContainer } from './report.ts';
import { type ContainerEngine, type SurroundingFacts, surroundingsOf } from './signs.ts';

const machine: SurroundingFacts = {
  files: new Set(),
  environment: {},
  manager: '',
  cgroup: '0::/user.slice\n',
  mounts: '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n22 27 0:21 / /proc rw,relatime - proc proc rw\n',
  status: 'Name:\tnode\nSeccomp:\t0\n',
  apparmor: 'unconfined',
};
const overlay = '275 248 0:76 / / rw,nodev,relatime - overlay overlay rw\n';
const covered = '253 276 0:84 / /proc/acpi ro,relatime - tmpfs tmpfs ro\n';
const filtered = { ...machine, status: 'Seccomp:\t2\n' };

describe('where Holdfast is', () => {
  const rows: readonly (readonly [ContainerEngine, Partial<SurroundingFacts>])[] = [
    ['none', {}],
    ['none', { environment: { CI: 'true', GITHUB_ACTIONS: 'true' } }],
    ['none', { mounts: overlay }],
    ['none', { manager: 'wsl' }],
    ['podman', { files: new Set(['/run/.containerenv']) }],
    ['docker', { files: new Set(['/.dockerenv']) }],
    ['docker', { cgroup: '4:memory:/docker/986b33693deb\n' }],
    ['kubernetes', { files: new Set(['/.dockerenv']), environment: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }],
    ['kubernetes', { cgroup: '0::/kubepods.slice/kubepods-besteffort.slice\n' }],
    ['nspawn', { manager: 'systemd-nspawn', environment: { container: 'systemd-nspawn' } }],
    ['lxc', { environment: { container: 'lxc' } }],
    ['container', { environment: { container: 'oci' } }],
    ['container', { mounts: overlay + covered }],
  ];
  test.each(rows)('%s', (engine, facts) => {
    expect(surroundingsOf({ ...machine, ...facts }).engine).toBe(engine);
  });

  test('who made it is told beside the engine', () => {
    const environment = { GITLAB_CI: 'true', REMOTE_CONTAINERS: 'true', JENKINS_URL: '' };
    expect(surroundingsOf({ ...machine, environment }).within).toEqual(['GitLab CI', 'a dev container']);
  });
});

describe('what stands in the way', () => {
  const step = (stage: string, path = '', errno = 'EPERM'): FailedStep => ({ stage, path, errno });
  const rows: readonly (readonly [FailedStep, Partial<SurroundingFacts>, readonly ContainerObstacle[]])[] = [
    [step('create namespaces'), filtered, ['seccomp']],
    [step('create namespaces'), { ...filtered, mounts: covered }, ['seccomp', 'masked-proc']],
    [step('create namespaces'), {}, ['namespaces']],
    [step('create namespaces', '', 'ENOSPC'), filtered, ['namespaces']],
    [step('create file system', 'proc'), { ...filtered, mounts: covered }, ['masked-proc']],
    [step('make mounts private', '/', 'EACCES'), { ...filtered, apparmor: 'docker-default (enforce)' }, ['apparmor']],
    [step('keep descriptors back'), filtered, ['seccomp']],
    [step('pidfd_getfd'), filtered, ['seccomp']],
    [step('pidfd_getfd'), {}, []],
    [step('idmapped mount', '/etc'), filtered, ['root']],
    [step('open source', '/etc/x'), filtered, []],
  ];
  test.each(rows)('%o', (failed, facts, obstacles) => {
    expect(obstaclesOf(failed, surroundingsOf({ ...machine, ...facts }))).toEqual(obstacles);
  });

  test('each engine has its own spelling, and a machine none', () => {
    const at = (engine: ContainerEngine) => ({ ...surroundingsOf(filtered), engine });
    const masked = [step('create file system', 'proc')];
    expect(changesFor(masked, at('podman'))[0]?.change).toContain('unmask=ALL');
    expect(changesFor(masked, at('docker'))[0]?.change).toContain('systempaths=unconfined');
    expect(changesFor(masked, at('kubernetes'))[0]?.change).toContain('procMount: Unmasked');
    expect(changesFor(masked, at('none'))).toEqual([]);
  });
});

test('a person reads what to change, and what Landlock leaves open', () => {
  const guarantees = { 'fs.read': 'partial', 'fs.write': 'kernel' } as never;
  const at = surroundingsOf({ ...filtered, files: new Set(['/.dockerenv']) });
  const failed = { kind: 'fails', step: { stage: 'create namespaces', path: '', errno: 'EPERM' } } as const;
  const lines = (landlock: 'works' | 'fails') =>
    describeContainer(
      reportContainer(
        [
          { name: 'native', guarantees, start: failed },
          { name: 'landlock', guarantees, start: { kind: landlock } },
        ],
        at,
      ),
    );
  expect(lines('works')).toEqual([
    'inside          a container of Docker; a seccomp filter',
    'to change       for native: add --security-opt seccomp=seccomp-container.json (docs/seccomp-container.json of the package)',
    'without it      --backend landlock holds, but fs.read in part or not at all',
  ]);
  expect(lines('fails').at(-1)).toBe('without it      no backend works in this container');
});
