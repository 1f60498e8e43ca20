import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backends, has, Project, repository } from './lib/holdfast.ts';

const uses = readFileSync(join(repository, 'test/fixtures/own-sockets.py'), 'utf8');

/** A server and a client of Node in one program. */
const nodeServer = `const n = require('net'); const s = n.createServer((c) => c.end('hello')).listen('node.sock', () => n.connect('node.sock').on('data', (d) => { process.stdout.write(d); s.close(); }));`;

test('a command reaches its own socket in a layer', () => {
  using project = new Project();
  project.write('uses.py', uses);
  const { stdout, stderr } = project.holdfast(['run', '--staged', '--', 'python3', 'uses.py', '.']);
  expect(stdout, stderr).toBe('done\n');
});

describe.each(backends)('a command reaches its own socket, on %s', (backend) => {
  test.each(['.', '/tmp'])('in %s', (directory) => {
    using project = new Project();
    project.write('uses.py', uses);
    const { stdout, stderr } = project.holdfast(['run', '--backend', backend, '--', 'python3', 'uses.py', directory]);
    expect(stdout, stderr).toBe('done\n');
  });

  test('by Node', () => {
    using project = new Project();
    expect(project.holdfast(['run', '--backend', backend, '--', 'node', '-e', nodeServer]).stdout).toBe('hello');
  });

  test.runIf(has('tmux'))('by tmux', () => {
    using project = new Project();
    const script =
      'tmux -S "$PWD/t" new-session -d "sleep 30" && tmux -S "$PWD/t" list-sessions -F ok && tmux -S "$PWD/t" kill-server';
    expect(project.holdfast(['run', '--backend', backend, '--', 'sh', '-c', script]).stdout).toBe('ok\n');
  });

  test.runIf(has('ssh-agent'))('by an agent of SSH', () => {
    using project = new Project();
    const script = 'eval "$(ssh-agent -a "$PWD/agent.sock")" > made; ssh-add -l; kill $SSH_AGENT_PID';
    expect(project.holdfast(['run', '--backend', backend, '--', 'sh', '-c', script]).stdout).toBe(
      'The agent has no identities.\n',
    );
  });
});
