import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Containers } from '../scripts/container/podman.ts';
import { type ContainerRow, containerRows } from '../scripts/container/rows.ts';
import { containerProfile, launcherCalls } from '../scripts/container/profile.ts';
import { has, repository } from './lib/holdfast.ts';

const root = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'holdfast/debian-root');
const missing =
  process.getuid?.() !== 0
    ? 'SKIPPED: only root can build the image'
    : (['podman', 'buildah', 'runc', 'newuidmap'].find((program) => !has(program)) ?? '') !== ''
      ? 'SKIPPED: podman, buildah, runc or uidmap is missing'
      : existsSync(root)
        ? ''
        : 'SKIPPED: scripts/debian-root.sh has not made a root';
if (missing !== '') console.warn(`containers: ${missing}`);

let containers: Containers | undefined;
beforeAll(() => {
  if (missing === '') containers = new Containers(repository);
}, 300_000);
afterAll(() => containers?.[Symbol.dispose]());

function row(name: string): ContainerRow {
  const found = containerRows.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no row ${name}`);
  return found;
}

const both =
  'for b in native landlock; do holdfast run --backend $b -- sh -c "sleep 0.1; echo $b holds; ls /etc/shadow"; done';
const holding = (name: string, script = both): readonly string[] => {
  if (containers === undefined) throw new Error('no containers');
  const { stdout } = containers.run(row(name), `${script} 2>&1`);
  return stdout.split('\n').flatMap((line) => /^(native|landlock) holds/u.exec(line)?.[1] ?? []);
};

const table: readonly (readonly [string, readonly string[]])[] = [
  ['podman rootless', ['landlock']],
  ['podman rootless, unmask=ALL', ['native', 'landlock']],
  ['podman as root, uid 0', ['landlock']],
  ['podman as root', ['landlock']],
  ['podman as root, unmask=ALL', ['native', 'landlock']],
  ['Docker default (imitated)', []],
  ['Docker, published profile (imitated)', ['landlock']],
  ['Docker, published profile and systempaths=unconfined (imitated)', ['native', 'landlock']],
  ['pod, restricted, published profile (imitated)', ['landlock']],
  ['pod, restricted, published profile, procMount (imitated)', ['native', 'landlock']],
];

test.skipIf(missing !== '').each(table)('%s: %j hold', (name, backends) => {
  expect(holding(name)).toEqual(backends);
});

test.skipIf(missing !== '')('doctor names the needed change for the failure', () => {
  const told = (name: string) =>
    containers
      ?.run(row(name), 'holdfast doctor')
      .stdout.split('\n')
      .filter((line) => /^(?:inside|to change|without)/u.test(line));
  expect(told('podman as root')?.slice(0, 2)).toEqual([
    'inside          a container of podman; a seccomp filter; parts of /proc are covered',
    'to change       for native: add --security-opt unmask=ALL to `podman run`',
  ]);
  expect(told('Docker default (imitated)')).toEqual([
    'inside          a container of podman; a seccomp filter; parts of /proc are covered',
    'to change       for native and landlock: add --security-opt seccomp=seccomp-container.json (docs/seccomp-container.json of the package)',
    'to change       for native: add --security-opt unmask=ALL to `podman run`',
    'without it      no backend works in this container',
  ]);
});

/** A call that the native backend can do without, but Landlock alone cannot. */
const byLandlock: ReadonlySet<string> = new Set(['pidfd_getfd']);

test.skipIf(missing !== '').each(launcherCalls)('without %s a box is refused', (call) => {
  const profile = join(tmpdir(), `holdfast-without-${call}.json`);
  writeFileSync(profile, JSON.stringify(containerProfile(launcherCalls.filter((name) => name !== call))));
  const flags = ['--user', '1000', '--security-opt', `seccomp=${profile}`, '--security-opt', 'unmask=ALL'];
  const backend = byLandlock.has(call) ? 'landlock' : 'native';
  const result = containers?.run(
    { flags, podman: 'root' },
    `holdfast run --backend ${backend} -- sh -c "sleep 0.1; echo holds"; echo "status $?"`,
  );
  expect(result?.stdout).toMatch(/^status [1-9]/u);
});

// Each has its control outside the box, in the same container.
test.skipIf(missing !== '')(
  'the escape attempts of doctor are stopped inside a container',
  { timeout: 240_000 },
  () => {
    const result = containers?.run(
      row('pod, restricted, published profile, procMount (imitated)'),
      'holdfast doctor --prove --json',
    );
    const { proofs } = JSON.parse(result?.stdout ?? '') as {
      readonly proofs: readonly { readonly backend: string; readonly promised: string; readonly result: string }[];
    };
    const kernel = proofs.filter(({ promised }) => promised === 'kernel');
    expect(kernel.filter(({ result: outcome }) => outcome === 'escaped')).toEqual([]);
    for (const backend of ['native', 'landlock'])
      expect(kernel.filter((proof) => proof.backend === backend && proof.result === 'held').length).toBeGreaterThan(5);
  },
);

/** Without the attack's own network, for which the container has no rights. */
const families =
  process.env['HOLDFAST_EXTENT'] === 'whole' ? 'fs-read-*,fs-write-*,git-hook*' : 'git-hooks-*,fs-read-home-secret';

test.skipIf(missing !== '')('attacks are blocked inside a container', { timeout: 900_000 }, () => {
  execFileSync('make', ['-s', '-C', join(repository, 'attacks/programs')]);
  const flags = row('pod, restricted, published profile, procMount (imitated)').flags.filter(
    (flag) => !['--read-only', '--tmpfs', '/tmp', '/home/holdfast'].includes(flag),
  );
  const { stdout, status } = onMachine(
    flags,
    `cd ${repository}; node attacks/runner/main.ts --user user --backend native,landlock --cases 1 --only '${families}'`,
  );
  expect({ status, total: stdout.trim().split('\n').at(-1) }).toEqual({
    status: 0,
    total: expect.stringMatching(/^[1-9]\d* passed, 0 failed, /u),
  });
  for (const backend of ['native', 'landlock']) expect(stdout).toContain(`(${backend}, user)`);
  expect(stdout).not.toContain('ABSENT');
});

/** Runs in a container whose root is the machine's, under an overlay: it has compilers and the repository. */
function onMachine(flags: readonly string[], script: string): SpawnSyncReturns<string> {
  const node = ['--volume', `${process.execPath}:/usr/local/bin/node:ro`];
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];
  const words = ['--rm', '--network', 'none', ...limits, ...flags, ...node, '--rootfs', '/:O'];
  return spawnSync(
    'podman',
    [
      '--runtime',
      'runc',
      '--cgroup-manager=cgroupfs',
      'run',
      ...words,
      'sh',
      '-c',
      `export HOME=$(mktemp -d); ${script}`,
    ],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
}
