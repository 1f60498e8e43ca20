import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type BigIntStats, lstatSync, readlinkSync, statSync } from 'node:fs';
import { release, version } from 'node:os';
import process from 'node:process';
import type { BindMount, FileIdentity, Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { encodePlan } from '../launcher/encode-plan.ts';
import { seccompFor } from '../seccomp.ts';
import { gvisorPlan, gvisorLauncher, innerRunsc } from './gvisor-plan.ts';
import { judgeAnswer, type Platform, type ProbeResult, type Runsc } from './platform.ts';

export interface GvisorProbe {
  readonly runsc: Runsc;
  readonly platform: Platform;
  /** Absolute path of `holdfast-launch`. */
  readonly launcher: string;
  /** Milliseconds. Default: 5000. */
  readonly patience?: number;
}

/**
 * Runs a program of Holdfast in a small box of this backend, and waits for it. Without the result, no other box can be
 * planned.
 */
export function probePlatform({ runsc, platform, launcher, patience = 5000 }: GvisorProbe): ProbeResult {
  const word = randomBytes(8).toString('hex');
  const plan = gvisorPlan(smallPlan([gvisorLauncher, 'kernel', word], patience + 1000), {
    runsc,
    platform,
    programs: programMounts(runsc.path, launcher),
    terminal: 'no',
  });
  const input = encodePlan(plan, { seccomp: seccompFor(plan), stderr: 'direct' });
  const { stdout, stderr, error } = spawnSync(process.execPath, ['-e', relay, launcher], {
    input,
    encoding: 'utf8',
    timeout: patience,
    killSignal: 'SIGKILL',
    env: {},
    cwd: '/',
    maxBuffer: 1 << 16,
  });
  if (error !== undefined) return { kind: 'fails', reason: `no answer within ${patience} ms` };
  const result = judgeAnswer(stdout, { word, host: `${release()} ${version()}` });
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return result.kind === 'fails' && said !== ''
    ? { ...result, reason: `${result.reason} (${said.slice(0, 200)})` }
    : result;
}

/**
 * Sends the plan to the launcher and waits. The launcher ends together with this process, so a time limit for this
 * process also ends the box.
 */
const relay = `
const { spawn } = require('node:child_process');
const child = spawn(process.argv[1], [], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'], env: {} });
child.stdio[3].on('error', () => {}).on('data', () => {}).write(require('node:fs').readFileSync(0));
child.on('error', () => process.exit(1)).on('exit', (code) => process.exit(code ?? 1));
`;

/** Read-only, at paths inside the box that do not depend on where the host has the programs. */
export function programMounts(runsc: string, launcher: string): readonly Mount[] {
  return [bind(runsc, innerRunsc), bind(launcher, gvisorLauncher)];
}

function bind(source: string, target: string): BindMount {
  return {
    kind: 'bind',
    source,
    target,
    access: 'read-only',
    ownership: process.getuid?.() === 0 ? 'foreign' : 'as-is',
    identity: identityOf(statSync(source, { bigint: true })),
    presence: 'required',
  };
}

function identityOf(stats: BigIntStats): FileIdentity {
  return {
    device: String(stats.dev),
    inode: String(stats.ino),
    type: stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other',
  };
}

/**
 * Shows the system's programs and libraries, because a runtime may need shared libraries. Shows no file of the user.
 */
function smallPlan(argv: readonly string[], wall: number): Plan {
  return {
    command: { argv, cwd: '/', environment: {} },
    mounts: [
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 1 << 20 },
      { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1 << 20 },
      ...['/usr', '/bin', '/lib', '/lib64'].flatMap(systemMount),
    ],
    protection: { roots: [], gitDirectories: [], shownRoots: [], guarded: [], released: [], names: [] },
    landlock: { minimumAbi: 0, execution: 'any', rules: [] },
    seccomp: { ptrace: 'deny' },
    notify: { kind: 'none' },
    programs: [],
    limits: { wall, grace: 100, cgroups: [] },
    network: { kind: 'closed' },
    requires: [],
  };
}

function systemMount(path: string): readonly Mount[] {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? [{ kind: 'symlink', target: path, to: readlinkSync(path) }] : [bind(path, path)];
}
