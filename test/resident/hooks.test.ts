import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claudeCall, HookedProject } from '../lib/hooked.ts';
import { endResident } from '../lib/holdfast.ts';
import { residentsOf } from '../lib/resident.ts';

let project: HookedProject;
beforeAll(() => {
  project = new HookedProject();
});
afterAll(() => {
  for (const pid of residentsOf(project.home)) endResident(pid);
  project[Symbol.dispose]();
});

/** Without a setting about supervisors, as an agent would start it. */
const wanted = { HOLDFAST_RESIDENT: 'auto' };
const bash = (command: string): object => claudeCall(project.workspace, 'Bash', { command });
const ask = (environment: NodeJS.ProcessEnv = {}): string =>
  project.hook('claude', bash('ls'), { environment: { ...wanted, ...environment } }).by;

test('a hook of a user without supervisors starts none', async () => {
  project.write('../home/.config/holdfast/policy.toml', 'version = 1\nresident = "never"\n');
  expect([ask(), ask()]).toEqual(['node', 'node']);
  project.write('../home/.config/holdfast/policy.toml', 'version = 1\n');
  expect([ask({ HOLDFAST_RESIDENT: 'never' }), ask({ HOLDFAST_RESIDENT: 'never' })]).toEqual(['node', 'node']);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(residentsOf(project.home)).toEqual([]);
});

test('the first hook starts the supervisor that answers the next ones, as Node does', async () => {
  expect(ask()).toBe('node');
  await expect.poll(() => ask()).toBe('server');
  await expect.poll(() => residentsOf(project.home).length).toBe(1);
  for (const message of [
    bash('rm -rf ~'),
    bash('git push'),
    claudeCall(project.workspace, 'Write', { file_path: join(project.home, '.bashrc'), content: 'x' }),
  ]) {
    const served = project.hook('claude', message, { environment: wanted });
    const alone = project.hook('claude', message, {
      environment: { ...wanted, HOLDFAST_RESIDENT: 'never', XDG_RUNTIME_DIR: join(project.root, 'nobody') },
    });
    expect([served.by, alone.by]).toEqual(['server', 'node']);
    expect({ ...served, by: '' }).toEqual({ ...alone, by: '' });
  }
});

test('the supervisor judges by the current policy', () => {
  const isRefused = ({ stdout, status }: { readonly stdout: string; readonly status: number | null }): boolean =>
    status === 2 || stdout.includes('"permissionDecision":"deny"');
  const push = (): boolean => {
    const told = project.hook('claude', bash('git push'), { environment: wanted });
    expect(told.by).toBe('server');
    return isRefused(told);
  };
  expect(push()).toBe(false);
  project.write('holdfast.toml', 'version = 1\n[commands]\ndeny = ["git push"]\n');
  expect(push()).toBe(true);
  project.write('holdfast.toml', 'version = 1\n');
  expect(push()).toBe(false);
});

test('a killed supervisor costs the next hook only time', async () => {
  const [pid = 0] = residentsOf(project.home);
  endResident(pid);
  expect(ask()).toBe('node');
  await expect.poll(() => ask()).toBe('server');
  expect(residentsOf(project.home)).not.toContain(pid);
});
