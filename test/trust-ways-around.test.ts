import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backends, Project } from './lib/holdfast.ts';

/** The files, by path, that a command of a box can read. */
function read(
  project: Project,
  paths: readonly string[],
  { flags = [], cwd = project.workspace }: { readonly flags?: readonly string[]; readonly cwd?: string } = {},
): readonly string[] {
  const { stdout } = project.holdfast(
    ['run', ...flags, '--', 'sh', '-c', 'for f in "$@"; do cat "$f" 2>/dev/null || echo none; done', 'sh', ...paths],
    { cwd },
  );
  return stdout.trim().split('\n');
}

function link(project: Project, name: string, to: string): void {
  mkdirSync(dirname(join(project.workspace, name)), { recursive: true });
  symlinkSync(to, join(project.workspace, name));
}

describe.each(backends)('in a box of the %s backend no way leads around the gate:', (backend) => {
  const flags = ['--backend', backend];

  test.each([
    [
      'a link to the directory',
      {
        links: [['.github', 'docs']],
        files: { 'docs/copilot-instructions.md': 'x\n', 'docs/prompts/a.prompt.md': 'x\n' },
      },
      ['.github/copilot-instructions.md', '.github/prompts/a.prompt.md'],
    ],
    [
      'a link in a link',
      {
        links: [
          ['.github', 'docs'],
          ['docs/prompts', '../other'],
        ],
        files: { 'docs/x': '', 'other/a.prompt.md': 'x\n' },
      },
      ['.github/prompts/a.prompt.md'],
    ],
    [
      'a link with an absolute text',
      { links: [['deep/.config', '@/docs']], files: { 'docs/mise/config.toml': 'x\n' } },
      ['deep/.config/mise/config.toml'],
    ],
    [
      'a link into installed packages',
      { links: [['.github', 'node_modules/p']], files: { 'node_modules/p/copilot-instructions.md': 'x\n' } },
      ['.github/copilot-instructions.md'],
    ],
    [
      'a link to a directory that is withheld as a whole',
      { links: [['.claude', 'docs']], files: { 'docs/settings.json': 'x\n' } },
      ['.claude/settings.json', 'docs/settings.json'],
    ],
    [
      'a link to the workspace itself',
      { links: [['.github', '.']], files: { 'copilot-instructions.md': 'x\n', 'prompts/a.prompt.md': 'x\n' } },
      ['.github/copilot-instructions.md', '.github/prompts/a.prompt.md'],
    ],
  ] as const)('%s', (_what, { links, files }, paths) => {
    using project = new Project();
    for (const [path, content] of Object.entries(files)) project.write(path, content);
    for (const [name, to] of links) link(project, name, to.replace('@', project.workspace));
    project.write('seen', 'seen\n');
    expect(read(project, [...paths, 'seen'], { flags })).toEqual([...paths.map(() => 'none'), 'seen']);
  });

  test.each(['node_modules/p', '.claude/worktrees/topic', '.vscode/x', 'sub/.git-hooks/x'])(
    'a workspace in %s',
    (path) => {
      using project = new Project();
      for (const [name, content] of [
        ['CLAUDE.md', 'x\n'],
        ['deep/.mcp.json', 'x\n'],
        ['.git/HEAD', 'ref: refs/heads/main\n'],
        ['seen', 'seen\n'],
      ] as const)
        project.write(`${path}/${name}`, content);
      const cwd = join(project.workspace, path);
      expect(
        read(project, ['CLAUDE.md', 'deep/.mcp.json', 'seen'], { flags: [...flags, '--workspace', cwd], cwd }),
      ).toEqual(['none', 'none', 'seen']);
    },
  );

  test.each(['write = []', 'write = ["out"]'])('a repository’s own policy with %s', (line) => {
    using project = new Project();
    for (const name of ['CLAUDE.md', 'deep/.mcp.json', '.env', 'out/AGENTS.md', 'out/.env']) project.write(name, 'x\n');
    project.write('seen', 'seen\n');
    project.write('holdfast.toml', `version = 1\n[files]\n${line}\n`);
    expect(
      read(project, ['CLAUDE.md', 'deep/.mcp.json', '.env', 'out/AGENTS.md', 'out/.env', 'seen'], { flags }),
    ).toEqual(['none', 'none', 'none', 'none', 'none', 'seen']);
  });
});

describe.each(backends)('in a box of the %s backend these stay:', (backend) => {
  const flags = ['--backend', backend];

  test('the outside target of a repository’s link', () => {
    using project = new Project();
    project.write('../home/.agent-settings/settings.json', 'mine\n');
    link(project, 'AGENTS.md', '../home/.agent-settings/settings.json');
    link(project, '.claude', '../home/.agent-settings');
    link(project, '.cursor', '/usr');
    expect(
      read(project, [join(project.home, '.agent-settings/settings.json')], {
        flags: [...flags, '--read', join(project.home, '.agent-settings')],
      }),
    ).toEqual(['mine']);
  });

  test('a workspace named like the beginning of a protected name', () => {
    using project = new Project();
    project.write('.github/.git/HEAD', 'ref: refs/heads/main\n');
    project.write('.github/copilot-instructions.md', 'text\n');
    project.write('.github/.github/copilot-instructions.md', 'x\n');
    const cwd = join(project.workspace, '.github');
    expect(
      read(project, ['copilot-instructions.md', '.github/copilot-instructions.md'], {
        flags: [...flags, '--workspace', cwd],
        cwd,
      }),
    ).toEqual(['text', 'none']);
  });

  test('git, with any branch name', () => {
    using project = new Project();
    project.write('a', 'a');
    for (const words of [
      ['add', 'a'],
      ['commit', '-qm', 'one'],
      ['checkout', '-qb', 'docs/AGENTS.md'],
    ])
      project.outside('git', words);
    const { stdout } = project.inside(
      'git log --format=%s && echo b > b && git add b && git commit -qm two && git log --format=%s -1 && git rev-parse --abbrev-ref HEAD',
      flags,
    );
    expect(stdout).toBe('one\ntwo\ndocs/AGENTS.md\n');
  });
});

describe.each(backends)('an approval, in a box of the %s backend,', (backend) => {
  const flags = ['--backend', backend];

  /** As a user does who has read the list. */
  function approveAll(project: Project): void {
    const seen = project.write('../seen.json', project.holdfast(['trust', 'status', '--json']).stdout);
    expect(project.holdfast(['trust', 'add', '--yes', '--from', seen])).toMatchObject({ status: 0 });
  }

  test.each(['closed/run.sh', 'closed', '**/run.sh'])(
    'brings no file into the box that the policy denies as %s',
    (denied) => {
      using project = new Project();
      project.write(
        '../home/.config/holdfast/policy.toml',
        `version = 1\n[files]\ndeny = [${JSON.stringify(denied.startsWith('*') ? denied : join(project.workspace, denied))}]\n`,
      );
      project.write('.env', 'SECRET=1\n');
      project.write('closed/run.sh', 'SECRET\n');
      project.write('open.sh', 'open\n');
      project.write(
        '.mcp.json',
        '{"mcpServers":{"a":{"command":"sh","args":["-c",". ./.env; ./closed/run.sh; ./open.sh"]}}}\n',
      );
      approveAll(project);
      expect(read(project, ['.mcp.json', '.env', 'closed/run.sh', 'open.sh'], { flags })).toEqual([
        '{"mcpServers":{"a":{"command":"sh","args":["-c",". ./.env; ./closed/run.sh; ./open.sh"]}}}',
        'none',
        'none',
        'open',
      ]);
    },
  );

  test('of a file leaves its imports writable', () => {
    using project = new Project();
    project.write('CLAUDE.md', 'See @README.md and @package.json\n');
    project.write('README.md', 'read me\n');
    project.write('package.json', '{}\n');
    approveAll(project);
    expect(project.inside('cat CLAUDE.md && echo more >> README.md && mv package.json moved', flags)).toMatchObject({
      status: 0,
      stdout: 'See @README.md and @package.json\n',
    });
    expect(read(project, ['CLAUDE.md'], { flags })).toEqual(['none']);
  });

  test('of a file below a linked directory shows it at the link’s target', () => {
    using project = new Project();
    project.write('docs/settings.json', '{}\n');
    project.write('docs/other', 'x\n');
    link(project, '.claude', 'docs');
    project.write('more/copilot-instructions.md', 'text\n');
    link(project, 'sub/.github', '../more');
    const sha256 = (path: string): string => project.outside('sha256sum', [path]).stdout.slice(0, 64);
    for (const path of ['.claude/settings.json', 'sub/.github/copilot-instructions.md'])
      expect(project.holdfast(['trust', 'add', path, '--yes', '--sha256', `${path}=${sha256(path)}`])).toMatchObject({
        status: 0,
      });
    expect(
      read(project, ['.claude/settings.json', '.claude/other', 'sub/.github/copilot-instructions.md'], { flags }),
    ).toEqual(['{}', 'none', 'text']);
  });
});

test('a command’s files in a staged layer are withheld from the next', () => {
  using project = new Project();
  project.write('seen', 'seen\n');
  const made = project.inside(
    'echo x > AGENTS.md; mkdir -p sub/.cursor; echo x > sub/.cursor/rules; echo SECRET > .env',
    ['--staged'],
  );
  const layer = /holdfast review (?<id>\S+)/u.exec(made.stderr)?.groups?.['id'] ?? '';
  expect(read(project, ['AGENTS.md', 'sub/.cursor/rules', '.env', 'seen'], { flags: ['--into', layer] })).toEqual([
    'none',
    'none',
    'none',
    'seen',
  ]);
});

test('neither add, commit nor stash of all files records withheld ones as deleted', () => {
  using project = new Project();
  const withheld = ['.claude/settings.json', 'CLAUDE.md', 'deep/.cursor/rules'];
  for (const path of [...withheld, 'code']) project.write(path, 'one\n');
  for (const words of [
    ['add', '-A'],
    ['commit', '-qm', 'one'],
  ])
    project.outside('git', words);
  project.inside(
    'echo two > code; git add -A; git add -u; git add .; git add --ignore-errors -A; git commit -qam all; git commit -qm staged; git stash; git stash -u; git reset -q --hard; git checkout -q .',
  );
  const tree = (): readonly string[] =>
    project.outside('git', ['ls-tree', '-r', '--name-only', 'HEAD']).stdout.trim().split('\n');
  expect(tree()).toEqual(expect.arrayContaining(withheld));
  expect(project.outside('git', ['diff', '--name-only', '--diff-filter=D', 'HEAD']).stdout).toBe('');
  expect(project.outside('git', ['log', '--format=%s', '-1']).stdout).toBe('staged\n');
});
