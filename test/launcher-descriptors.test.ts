import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { backends, binary, has, Project, repository } from './lib/holdfast.ts';

test.each([...backends.filter((name) => name !== 'bubblewrap' || has('bwrap')), 'landlock'])(
  'no command runs if its descriptors cannot be closed, and the reason is given: %s',
  (backend) => {
    using project = new Project();
    const words = [
      join(repository, 'test/fixtures/with-filter.mjs'),
      'no-descriptor-ranges',
      binary,
      'run',
      '--backend',
      backend,
      '--',
      'touch',
      'ran',
    ];
    const refused = spawnSync(process.execPath, words, {
      cwd: project.workspace,
      env: project.environment,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(refused).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/close_range: EPERM\)[^]*\[HF_GUARANTEE_MISSING\]/u) as string,
    });
    expect(existsSync(join(project.workspace, 'ran'))).toBe(false);
  },
);
