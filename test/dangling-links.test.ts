import { once } from 'node:events';
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backends, has, Project } from './lib/holdfast.ts';

const built = [...backends.filter((backend) => backend === 'native' || has('bwrap')), 'landlock'];
if (built.length < backends.length + 1)
  console.warn(
    'SKIPPED: links that lead nowhere, with bubblewrap, because bwrap is not installed (Debian: apt-get install bubblewrap)',
  );

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

describe.each(built)('a protected name that is a dangling link: %s', (backend) => {
  test.each([
    ['by its own name', 'echo "{}" > .mcp.json'],
    ['by the name of its target', 'echo "{}" > lib/none'],
  ])('does not stay if the command makes its target, %s', (_, script) => {
    using project = new Project();
    mkdirSync(join(project.workspace, 'lib'));
    symlinkSync('lib/none', join(project.workspace, '.mcp.json'));
    project.holdfast(['run', '--backend', backend, '--', 'sh', '-c', script]);
    // Refused immediately, or quarantined at the end: no reader gets the text under the protected name.
    expect(isThere(join(project.workspace, '.mcp.json')) && isThere(join(project.workspace, 'lib/none'))).toBe(false);
  });

  test('stays if nothing was made, and if an outside program makes a target outside the workspace', async () => {
    using project = new Project();
    symlinkSync('lib/none', join(project.workspace, '.mcp.json'));
    symlinkSync(join(project.home, 'later'), join(project.workspace, '.envrc'));
    const child = project.start([
      'run',
      '--backend',
      backend,
      '--',
      'sh',
      '-c',
      ': > ran; until [ -e go ]; do sleep 0.05; done',
    ]);
    const closed = once(child, 'close');
    await expect.poll(() => isThere(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
    writeFileSync(join(project.home, 'later'), '');
    project.write('go', '');
    expect(await closed).toEqual([0, null]);
    expect(['.mcp.json', '.envrc'].filter((name) => isThere(join(project.workspace, name)))).toEqual([
      '.mcp.json',
      '.envrc',
    ]);
  });
});
