import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, Project, repository } from './lib/holdfast.ts';

/** Scripts with interpreters of every kind, and every way to start a program: the supervisor misjudges none. */
const ways = readFileSync(join(repository, 'test/fixtures/starts-programs.sh'), 'utf8');

test('a strict box starts the same programs as an ordinary one, and refuses the same', () => {
  const run = (flags: readonly string[]): string => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[commands]\ndeny = ["od refused"]\nunknown = "allow"\n',
    );
    project.write('starts.sh', ways);
    return project.holdfast(['run', ...flags, '--', 'bash', 'starts.sh']).stdout;
  };
  const usual = run([]);
  expect(usual).toContain('126');
  expect(usual).toMatch(/end\n$/u);
  expect(run(['--strict'])).toBe(usual);
});

test('an exchanged word is journalled, and its program never runs', () => {
  using project = new Project();
  project.write(
    '../home/.config/holdfast/policy.toml',
    'version = 1\n[commands]\ndeny = ["od refused"]\nunknown = "allow"\n',
  );
  project.write('refused', 'SECRET-OF-THE-TEST\n');
  project.write('allowed', 'x\n');
  const flip = join(project.workspace, 'flip-exec');
  const source = join(repository, 'attacks/programs/flip-exec.c');
  expect(spawnSync('cc', ['-O2', '-pthread', '-D_GNU_SOURCE', '-o', flip, source]).status).toBe(0);
  const { stdout } = project.holdfast([
    'run',
    '--strict',
    '--',
    './flip-exec',
    'word',
    '/usr/bin/od',
    'allowed',
    'refused',
    '1500',
  ]);
  expect(stdout).toContain('0000000');
  expect(stdout).not.toContain(
    spawnSync('od', ['refused'], { cwd: project.workspace, encoding: 'utf8' }).stdout.slice(0, 30),
  );
  expect(spawnSync(binary, ['audit', 'show'], { env: project.environment, encoding: 'utf8' }).stdout).toMatch(
    /exchanged while it started, so it was killed/u,
  );
});
