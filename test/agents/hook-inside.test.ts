import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, Project } from '../lib/holdfast.ts';
import { claudeCall } from '../lib/hooked.ts';

test('an agent inside a box keeps its commands in that box, and hears what its policy refuses', () => {
  using project = new Project();
  mkdirSync(join(project.home, '.ssh'));
  const hook = (command: string) => {
    project.write('call.json', JSON.stringify(claudeCall(project.workspace, 'Bash', { command })));
    return project.inside(`${binary} hook claude < call.json`);
  };
  expect(hook('echo hello')).toMatchObject({ status: 0, stdout: '' });
  expect(JSON.parse(hook('cat ~/.ssh/id_rsa').stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny' },
  });
});
