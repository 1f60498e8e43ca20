import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodePlan } from '../../src/backends/launcher/encode-plan.ts';
import { ReportReader, type LauncherReport } from '../../src/backends/launcher/reports.ts';
import { seccompFilter } from '../../src/plan/seccomp/filter.ts';
import { openSession, planBox } from '../../src/session/session.ts';
import { rounds } from '../../scripts/testing/extent.ts';
import { has, Project, repository } from '../lib/holdfast.ts';

const emulator = ['qemu-aarch64-static', 'qemu-aarch64'].find(has);
const launchers = {
  x64: join(repository, 'native/build/linux-x64/holdfast-launch'),
  arm64: join(repository, 'native/build/linux-arm64/holdfast-launch'),
} as const;
const missing =
  emulator === undefined
    ? 'SKIPPED: qemu-user-static is not installed'
    : Object.values(launchers).every(existsSync)
      ? ''
      : 'SKIPPED: `make -C native prebuilt` was not run, which needs gcc-aarch64-linux-gnu';
if (missing !== '') console.warn(missing);

type Architecture = keyof typeof launchers;

function words(architecture: Architecture, more: readonly string[]): readonly [string, readonly string[]] {
  return architecture === 'x64' ? [launchers.x64, more] : [emulator ?? '', [launchers.arm64, ...more]];
}

interface Ended {
  readonly code: number | null;
  readonly reports: readonly LauncherReport[];
}

/** Passes a plan to a launcher as a supervisor would. */
async function launch(architecture: Architecture, more: readonly string[], plan: Buffer): Promise<Ended> {
  const child = spawn(...words(architecture, more), {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: {},
    cwd: '/',
  });
  const control = child.stdio[3] as Duplex;
  const reader = new ReportReader();
  const reports: LauncherReport[] = [];
  control.on('data', (chunk: Buffer) => reports.push(...reader.push(chunk))).on('error', () => undefined);
  control.end(plan);
  const closed = once(control, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  await closed;
  return { code, reports };
}

describe.skipIf(missing !== '' || process.arch !== 'x64')(
  `the launcher of arm64, beside that of x64 ${missing}`,
  () => {
    let project: Project;
    let plan: Buffer;
    beforeAll(async () => {
      project = new Project();
      for (const path of [
        '.env',
        'deep/er/.git/config',
        'deep/.vscode/tasks.json',
        'ordinary/file',
        '.claude/settings.json',
      ])
        project.write(path, 'x');
      symlinkSync('../.env', join(project.workspace, 'deep/.envrc'));
      const session = await openSession({
        cwd: project.workspace,
        workspace: project.workspace,
        environment: project.libraryEnvironment,
        backend: 'native',
      });
      plan = encodePlan(planBox(session, { argv: ['true'] }), {
        seccomp: seccompFilter({ architecture: 'arm64', ptrace: 'deny' }).bytes,
        stderr: 'direct',
      });
    });
    afterAll(() => project[Symbol.dispose]());

    test('reports the same about the kernel', () => {
      const [x64, arm64] = (['x64', 'arm64'] as const).map((architecture) =>
        spawnSync(...words(architecture, ['kernel', 'word']), { encoding: 'utf8' }),
      );
      expect(arm64).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^word\n\d/u) });
      expect(arm64?.stdout).toBe(x64?.stdout);
    });

    test('decodes a complete plan', async () => {
      const [x64, arm64] = [await launch('x64', ['scan'], plan), await launch('arm64', ['scan'], plan)];
      expect(x64.reports.filter(({ kind }) => kind === 'protected').length).toBeGreaterThan(4);
      expect(isBeyondEmulator(arm64) ? x64 : arm64).toEqual(x64);
    });

    test('refuses the same broken plans, with the same words, and no others', async () => {
      const count = rounds(36);
      let refused = 0;
      for (let index = 0; index < count; index += 1) {
        const broken = Buffer.from(plan);
        const at = 8 + Math.floor(((plan.length - 8) * index) / count);
        broken.writeUInt8(broken.readUInt8(at) ^ 0x80, at);
        for (const bytes of [broken, plan.subarray(0, at)]) {
          const [x64, arm64] = [await launch('x64', ['scan'], bytes), await launch('arm64', ['scan'], bytes)];
          if (isBeyondEmulator(arm64)) expect(x64.reports.filter(isOfPlan), `byte ${at}`).toEqual([]);
          else expect(arm64, `byte ${at}`).toEqual(x64);
          refused += arm64.reports.filter(isOfPlan).length;
        }
      }
      expect(refused).toBeGreaterThan(count);
    });
  },
);

/** Emulators older than QEMU 9.1 lack `openat2`, with which the launcher opens a root after it has read its plan. */
function isBeyondEmulator({ reports }: Ended): boolean {
  const [report, ...more] = reports;
  return (
    report?.kind === 'failed' &&
    report.stage === 'open root' &&
    report.errno === constants.errno.ENOSYS &&
    more.length === 0
  );
}

/** An invalid plan. */
function isOfPlan(report: LauncherReport): boolean {
  return report.kind === 'failed' && (report.stage === 'read plan' || report.stage === 'decode plan');
}
