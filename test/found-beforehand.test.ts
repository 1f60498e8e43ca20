import { once } from 'node:events';
import { existsSync, linkSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { backends, Project } from './lib/holdfast.ts';

const client = `
const socket = require('node:net').connect(process.argv[2], () => { console.log('connected'); process.exit(0); });
socket.on('error', (error) => { console.log(error.code); process.exit(1); });
`;
const server = `
const { createServer } = require('node:net');
require('node:fs').rmSync('tmp.sock', { force: true });
createServer().listen('tmp.sock', () => { console.log('listens'); process.kill(process.pid, 'SIGKILL'); });
`;

async function listen(path: string): Promise<Server> {
  const listening = createServer((socket) => socket.destroy()).listen(path);
  await once(listening, 'listening');
  return listening;
}

describe('a socket in the workspace', () => {
  test('with a listener on the host is unreachable, unless the policy names it', async () => {
    using project = new Project();
    const path = join(project.workspace, 'tmp.sock');
    project.write('client.js', client);
    const heard = await listen(path);
    const connect = async (flags: readonly string[]): Promise<string> => {
      const child = project.start([
        'run',
        '--backend',
        'native',
        ...flags,
        '--',
        process.execPath,
        'client.js',
        'tmp.sock',
      ]);
      const [text] = (await once(child.stdout, 'data')) as [Buffer];
      await once(child, 'exit');
      return text.toString().trim();
    };
    try {
      expect(await connect([])).toMatch(/^E(?:ACCES|CONNREFUSED)$/u);
      expect(await connect(['--socket', path])).toBe('connected');
    } finally {
      heard.close();
    }
  });

  test('left by a killed server of an earlier box can be replaced', () => {
    using project = new Project();
    project.write('server.js', server);
    for (let run = 0; run < 2; run++)
      expect(project.holdfast(['run', '--', process.execPath, 'server.js'])).toMatchObject({
        stdout: 'listens\n',
        status: 137,
      });
    expect(existsSync(join(project.workspace, 'tmp.sock'))).toBe(true);
  });
});

describe.each(backends)('with %s,', (backend) => {
  const inside = (project: Project, script: string) => project.inside(script, ['--backend', backend]);

  test('a git configuration that changes between two runs is noticed', () => {
    using project = new Project();
    project.write('tools/pre-commit', 'old\n');
    expect(inside(project, 'echo new > tools/pre-commit').status).toBe(0);
    project.outside('git', ['config', 'core.hooksPath', 'tools']);
    expect(inside(project, 'echo evil > tools/pre-commit').status).not.toBe(0);
    expect(readFileSync(join(project.workspace, 'tools/pre-commit'), 'utf8')).toBe('new\n');
    project.outside('git', ['config', '--unset', 'core.hooksPath']);
    expect(inside(project, 'echo newer > tools/pre-commit').status).toBe(0);
  });

  test('a missing directory of git’s hooks is quarantined when it appears', () => {
    using project = new Project();
    project.outside('git', ['config', 'core.hooksPath', 'later/hooks']);
    inside(project, 'mkdir -p later/hooks; echo evil > later/hooks/pre-commit');
    expect(existsSync(join(project.workspace, 'later/hooks'))).toBe(false);
  });

  test('a protected symlink is quarantined after a replacement with the same inode', () => {
    using project = new Project();
    project.write('good.json', '{}');
    symlinkSync('good.json', join(project.workspace, '.mcp.json'));
    expect(inside(project, 'true').status).toBe(0);
    expect(readlinkSync(join(project.workspace, '.mcp.json'))).toBe('good.json');
    inside(project, 'echo evil > evil.json; rm .mcp.json; ln -s evil.json .mcp.json');
    expect(existsSync(join(project.workspace, '.mcp.json'))).toBe(false);
  });

  test('other names of a hidden file are hidden, and those of an ordinary one are not', () => {
    using project = new Project();
    const secret = project.write('.env', 'SECRET\n');
    const plain = project.write('a.txt', 'plain\n');
    linkSync(secret, join(project.workspace, 'copy'));
    linkSync(plain, join(project.workspace, 'b.txt'));
    expect(inside(project, 'cat copy b.txt; echo more >> a.txt').stdout).toBe('plain\n');
    expect(readFileSync(plain, 'utf8')).toBe('plain\nmore\n');
  });
});
