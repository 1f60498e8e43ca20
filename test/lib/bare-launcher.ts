/** The launcher by itself, with a small plan: for tests that hand it bytes, or a kernel, that no supervisor would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Duplex } from 'node:stream';
import { encodePlan } from '../../src/backends/launcher/encode-plan.ts';
import { type LauncherReport, ReportReader } from '../../src/backends/launcher/reports.ts';
import { pathFact } from '../../src/place/host/path-facts.ts';
import type { BindMount, Mount } from '../../src/plan/mount.ts';
import { seccompFilter } from '../../src/plan/seccomp/filter.ts';
import { notifyFilter } from '../../src/plan/seccomp/notify.ts';
import type { CgroupPlan, Plan } from '../../src/plan/types.ts';
import { repository } from './holdfast.ts';

export const launcher = join(repository, 'native/build/holdfast-launch');
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly reports: readonly LauncherReport[];
  /** Whether the plan's command ran. */
  readonly ran: boolean;
}

interface Launch {
  readonly bytes: Uint8Array;
  /** Of the plan. */
  readonly workspace: string;
  /** Starts the launcher, which follows. */
  readonly by?: readonly string[];
  /** The control socket after the bytes. Default: it stays open. */
  readonly ending?: 'close' | 'hold';
}

/** Hands bytes to the launcher as its supervisor would, and waits for it to end. */
export async function launchWith({ bytes, workspace, by = [], ending = 'hold' }: Launch): Promise<Ended> {
  const [program = launcher, ...words] = [...by, launcher];
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: {},
    cwd: '/',
    timeout: 20_000,
  });
  const control = child.stdio[3] as Duplex;
  const reader = new ReportReader();
  const reports: LauncherReport[] = [];
  control.on('data', (chunk: Buffer) => reports.push(...reader.push(chunk)));
  control.on('error', () => undefined);
  control.write(bytes);
  if (ending === 'close') control.end();
  const closed = new Promise((resolve) => control.once('close', resolve));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  await closed;
  return { code, signal, reports, ran: emptied(workspace) === 'changed' };
}

/** The command makes a file, under any name in the plan. */
function emptied(workspace: string): 'changed' | 'unchanged' {
  // As bytes: a flipped bit may leave a name that is not UTF-8.
  const made = readdirSync(workspace, { encoding: 'buffer' }).filter(
    (name) => !['.git', 'sub'].includes(name.toString()),
  );
  for (const name of made) unlinkSync(Buffer.concat([Buffer.from(`${workspace}/`), name]));
  return made.length > 0 ? 'changed' : 'unchanged';
}

function bind(path: string, access: BindMount['access']): BindMount {
  const fact = pathFact(path);
  if (fact.kind === 'missing') throw new Error(`${path} is missing`);
  return {
    kind: 'bind',
    source: path,
    target: path,
    access,
    ownership: access === 'read-only' && process.getuid?.() === 0 ? 'foreign' : 'as-is',
    identity: fact.identity,
    presence: 'required',
  };
}

/** A small plan with every part that changes the host or the box. */
export function smallPlan(workspace: string, cgroups: readonly CgroupPlan[]): Plan {
  const links = ['bin', 'lib', 'lib64'].flatMap((name): Mount[] =>
    pathFact(`/${name}`).kind === 'present' ? [{ kind: 'symlink', target: `/${name}`, to: `usr/${name}` }] : [],
  );
  return {
    command: { argv: ['touch', 'ran'], cwd: workspace, environment: { PATH: '/usr/bin' } },
    mounts: [
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 4096 },
      { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1 << 20 },
      bind('/usr', 'read-only'),
      ...links,
      bind(workspace, 'read-write'),
      { kind: 'file', target: '/run/x', mode: 0o444, content: 'x' },
    ],
    protection: {
      roots: [workspace],
      gitDirectories: [],
      shownRoots: [],
      guarded: [],
      released: [],
      names: [
        { components: ['.git', 'hooks'], effect: 'read-only', except: [], scope: 'anywhere', reason: '' },
        { components: ['.env'], effect: 'hidden', except: ['.env.x'], scope: 'anywhere', reason: '' },
      ],
    },
    landlock: {
      minimumAbi: 0,
      execution: 'any',
      rules: [
        { path: '/', access: 'read' },
        { path: workspace, access: 'write' },
      ],
    },
    seccomp: { ptrace: 'deny' },
    notify: { kind: 'guard', groups: ['creations', 'connections'] },
    programs: [],
    limits: { processes: 50, openFiles: 64, wall: 10_000, grace: 100, cgroups },
    network: { kind: 'closed' },
    requires: [],
  };
}

export function encodeSmall(plan: Plan): Buffer {
  return encodePlan(plan, {
    seccomp: seccompFilter({ architecture, ptrace: 'deny' }).bytes,
    notify: notifyFilter({ architecture, groups: ['creations'] }),
    stderr: 'direct',
  });
}
