import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { cgroupFacts } from '../../src/place/host/cgroups.ts';
import type { Backend, Need, Trial, UserName } from './attack.ts';
import { baseDirectory } from './base-directory.ts';
import { placeGuestImage } from './guest-image.ts';

/** A missing part of this machine for a trial, or undefined. */
export function missingFor({ attack, user }: Trial): string | undefined {
  const absent = attack.needs.find((need) => !tests[need](user));
  return missingUser(user) ?? (absent === undefined ? undefined : `needs ${reasons[absent]}`);
}

function missingUser(user: UserName): string | undefined {
  return user === 'root' && !isRoot() ? 'the runner is not root' : undefined;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

const tests: Readonly<Record<Need, (user: UserName) => boolean>> = {
  git: () => isProgram('git'),
  'own-network': () => isRoot() && ['ip', 'nsenter', 'unshare'].every(isProgram),
  python3: () => isProgram('python3'),
  node: () => isProgram('node'),
  postgres: () => existsSync('/usr/lib/postgresql') && isProgram('psql'),
  redis: () => isProgram('redis-server'),
  tty: () => isProgram('script'),
  'throw-away-user': isRoot,
  // The kernel counts RLIMIT_NPROC per user namespace, but never stops uid 0.
  'process-limit': (user) => user === 'user' || hasController('pids'),
  'memory-group': (user) => (user === 'root' || !isRoot()) && hasController('memory'),
};

const reasons: Readonly<Record<Need, string>> = {
  git: 'git',
  'own-network': 'root, iproute2 and util-linux, to build a network of its own',
  python3: 'python3',
  node: 'node',
  postgres: 'a PostgreSQL of Debian (postgresql)',
  redis: 'a Redis of Debian (redis-server)',
  tty: 'script(1)',
  'throw-away-user': 'an id that nobody else uses, which only root can take',
  'process-limit': 'a control group for processes, which root may not create here',
  'memory-group': 'a control group for memory, which this user may not create here',
};

function hasController(name: 'memory' | 'pids'): boolean {
  const facts = cgroupFacts();
  return facts.kind === 'v2'
    ? facts.controllers.includes(name)
    : facts.kind === 'v1' && facts.directories[name] !== undefined;
}

export function isProgram(name: string): boolean {
  return ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The reason why a backend does not work here, or undefined. Runs `true` in a box to find out. */
export function backendProblem(holdfast: string, backend: Backend): string | undefined {
  const home = mkdtempSync(join(baseDirectory(), 'holdfast-probe-'));
  const place = join(home, 'project');
  mkdirSync(place);
  if (backend === 'microvm') placeGuestImage(home, undefined);
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home };
  const { status, stderr, error } = spawnSync(holdfast, ['run', '--backend', backend, '--', 'true'], {
    cwd: place,
    env: environment,
    encoding: 'utf8',
    timeout: 60_000,
  });
  rmSync(home, { recursive: true, force: true });
  if (status === 0) return undefined;
  return `holdfast run --backend ${backend} does not work here: ${(stderr ?? error?.message ?? '').trim().split('\n')[0] ?? ''}`;
}
