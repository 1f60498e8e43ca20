import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { BackendStart, LaunchedBox } from '../src/backends/backend.ts';
import { openSession, planBox } from '../src/session/session.ts';
import { backends, binary, has, Project, repository } from './lib/holdfast.ts';

/** A box whose kills stop for the test. It makes the file `ran`. */
async function start(
  project: Project,
  backend: (typeof backends)[number],
  listener: BackendStart['listener'],
): Promise<LaunchedBox> {
  const session = await openSession({
    workspace: project.workspace,
    cwd: project.workspace,
    environment: project.environment,
    backend,
  });
  const plan = planBox(session, { argv: ['sh', '-c', 'echo x > ran'] });
  const options = {
    launcher: session.place.installation.launcher,
    stdio: ['ignore', 'ignore', 'ignore'],
    stderr: 'direct',
  } as const;
  return session.backend.start(
    { ...plan, notify: { kind: 'supervisor', groups: ['signals'] } },
    { ...options, ...(listener === undefined ? {} : { listener }) },
  );
}

const ran = (project: Project): boolean => existsSync(join(project.workspace, 'ran'));

describe.each(backends.filter((name) => name === 'native' || has('bwrap')))(
  'the listener of a box on %s',
  (backend) => {
    test('exists before the command starts', async () => {
      using project = new Project();
      const seen: unknown[] = [];
      const box = await start(project, backend, async (pid, descriptor) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        seen.push(existsSync(`/proc/${pid}/fd/${descriptor}`), ran(project));
      });
      expect(await box.outcome).toMatchObject({ exitCode: 0, failure: undefined });
      expect(seen).toEqual([true, false]);
      expect(ran(project)).toBe(true);
    });

    test('ends the box before its command if every receiver refuses it', async () => {
      using project = new Project();
      const box = await start(project, backend, () => Promise.reject(new Error('no descriptors left')));
      await expect(box.outcome).rejects.toThrow('no descriptors left');
      await new Promise((resolve) => box.process.once('exit', resolve));
      expect(ran(project)).toBe(false);
    });

    test('without a receiver is an internal error, and the command does not run', async () => {
      using project = new Project();
      const box = await start(project, backend, undefined);
      await expect(box.outcome).rejects.toMatchObject({ code: 'HF_INTERNAL' });
      expect(ran(project)).toBe(false);
    });

    test('ends the box if no one takes it in time', async () => {
      using project = new Project();
      const box = await start(project, backend, () => new Promise(() => undefined));
      expect(await box.outcome).toMatchObject({ exitCode: 125, failure: { stage: 'hand over listener' } });
      expect(ran(project)).toBe(false);
    });
  },
);

test.each([
  ['that another sandbox around Holdfast has already', 'listener', /EBUSY.*already runs under another one\n/su],
  ['whose holder may not look into processes', 'no-process-reads', /may not read the memory of the others/u],
])('one %s is reported, and nothing runs', (_, filter, message) => {
  using project = new Project();
  const run = () =>
    spawnSync(
      process.execPath,
      [join(repository, 'test/fixtures/with-filter.mjs'), filter, binary, 'run', '--', 'sh', '-c', 'echo x > ran'],
      { cwd: project.workspace, env: project.environment, encoding: 'utf8' },
    );
  const refused = run();
  expect(refused.status).toBe(125);
  expect(refused.stderr).toMatch(message);
  expect(refused.stderr).toMatch(/new_protected = "quarantine".*sockets\.later = "reach".*\[HF_GUARANTEE_MISSING\]/u);
  expect(ran(project)).toBe(false);
  project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[files]\nnew_protected = "quarantine"\n');
  expect(run().status).toBe(125);
  project.write(
    '../home/.config/holdfast/policy.toml',
    'version = 1\n[files]\nnew_protected = "quarantine"\n[sockets]\nlater = "reach"\n',
  );
  expect(run()).toMatchObject({ status: 0, stderr: '' });
  expect(ran(project)).toBe(true);
});
