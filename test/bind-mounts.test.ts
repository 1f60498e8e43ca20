import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';
import { binary, Project } from './lib/holdfast.ts';

if (process.getuid?.() !== 0) console.warn('SKIPPED: bind mounts, because only root can make them');

// Attack: fs-bind-mount-alias, between two runs: the second run must not reuse the plan of the first.
test.skipIf(process.getuid?.() !== 0)('a mount that appears between two runs is hidden in the second', () => {
  using project = new Project();
  project.write('.env', 'SECRET=of-the-env-file\n');
  project.write('plain', 'plain words\n');
  const script = `
    "${binary}" run -- cat plain
    mount --bind .env plain; cat plain
    "${binary}" run -- cat plain
    umount plain
    "${binary}" run -- cat plain`;
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
  });
  expect(stdout).toBe('plain words\nSECRET=of-the-env-file\nplain words\n');
  expect(stderr).toContain('Permission denied');
});
