import { describe, expect, test } from 'vitest';
import { fileProblems } from './check-files.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';

const problems = (texts: PolicyTexts) =>
  fileProblems(policyFrom(texts)).map(({ file, line, message, remedy }) => `${file}:${line}: ${message}; ${remedy}`);

test('what is built in can all be held', () => {
  expect(problems({})).toEqual([]);
});

describe('a grant is a whole path', () => {
  test.each(['read', 'write', 'ephemeral'])('files.%s', (list) => {
    for (const layer of ['user', 'project', 'managed', 'session'] as const) {
      expect(problems({ [layer]: `[files]\n${list} = ["/srv/a", "~/data/*.csv"]` })).toEqual([
        `${layer}.toml:3: "~/data/*.csv" in files.${list}[1] opens nothing: what is granted is mounted, and only whole paths can be; write "~/data" for the directory and everything beneath, or name each path`,
      ]);
    }
  });

  test.each(['src/*', '**/docs', '*', '**/**', '/srv/?'])('%s', (pattern) => {
    expect(problems({ project: `[files]\nwrite = ["${pattern}"]` })).toHaveLength(1);
  });

  test.each(['.', 'src', '~', '~/data', '/srv/data', 'a\\\\*b', '\\\\{x\\\\}'])('%s is one', (pattern) => {
    expect(problems({ project: `[files]\nwrite = ["${pattern}"]`, user: `[files]\nread = ["${pattern}"]` })).toEqual(
      [],
    );
  });

  test('in a rule as well', () => {
    const rule = (decision: string, paths: string) =>
      `[[file]]\nname = "r"\ndecision = "${decision}"\npaths = ["${paths}"]`;
    expect(problems({ user: rule('allow', 'src/*.ts') })).toEqual([
      expect.stringMatching(/^user\.toml:2: "src\/\*\.ts" in r opens nothing/u),
    ]);
    expect(problems({ user: rule('allow', 'src') })).toEqual([]);
  });

  test('what was given elsewhere is held to it too', () => {
    const granted = [{ name: 'proposal p', file: 'accepted.json', grants: { files: { read: ['**/x'] } } }];
    expect(problems({ granted })).toEqual([
      expect.stringMatching(/^accepted\.json:0: "\*\*\/x" in proposal p \*\*\/x opens nothing/u),
    ]);
  });
});

describe('nobody grants the whole machine', () => {
  test.each(['/', '//', '/.', '/./'])('%s', (pattern) => {
    for (const list of ['read', 'write', 'ephemeral']) {
      expect(problems({ user: `[files]\n${list} = ["${pattern}"]` })).toEqual([
        expect.stringMatching(/^user\.toml:3: .* grants the whole machine, .* name the directories/u),
      ]);
    }
    expect(
      problems({ granted: [{ name: '--read', file: 'command line', grants: { files: { read: [pattern] } } }] }),
    ).toHaveLength(1);
  });

  test('an administrator may leave reading to the user', () => {
    expect(problems({ managed: '[files]\nread = ["/"]\nwrite = ["/srv"]' })).toEqual([]);
  });
});

describe('a refusal is a path, or names that can be looked for', () => {
  test.each(['deny', 'protect'])('files.%s', (list) => {
    for (const layer of ['user', 'project', 'managed', 'session'] as const) {
      expect(problems({ [layer]: `[files]\n${list} = ["~/x/*.key"]` })).toEqual([
        `${layer}.toml:3: "~/x/*.key" in files.${list}[0] cannot be held by the kernel; write "**/x/*.key"`,
      ]);
      expect(problems({ [layer]: `[files]\n${list} = ["**/x/*.key", "**/secrets", "~/x", "."]` })).toEqual([]);
    }
  });

  test('in a rule as well', () => {
    const rule = (operations: string) =>
      `[[file]]\nname = "r"\ndecision = "deny"\npaths = ["src/*.sql"]\noperations = ["${operations}"]`;
    for (const operations of ['read', 'write'])
      expect(problems({ project: rule(operations) })).toEqual([
        expect.stringContaining('"src/*.sql" in r cannot be held by the kernel; write "**/src/*.sql"'),
      ]);
  });
});

describe('a release is the path of what is held, or a whole built-in name', () => {
  const release = (pattern: string): readonly string[] => problems({ user: `[files]\nrelease = ["${pattern}"]` });

  test.each([
    '.env.test',
    'a/b/.ENV',
    '~/x/.vscode',
    '.git',
    '.git/hooks',
    '/srv/.github/workflows',
    'node_modules/.bin/git',
    '**/.vscode',
    '**/.env',
    '**/.env.*',
    '**/.git',
    '~/.bash_history',
    '~/.local/share/fish',
    '~/.local/share/fish/fish_history',
  ])('%s', (pattern) => {
    expect(release(pattern)).toEqual([]);
    expect(problems({ managed: `[files]\nrelease = ["${pattern}"]` })).toEqual([]);
  });

  test.each([
    ['.vscode/settings.json', '.vscode', '.vscode'],
    ['./a//.vscode/x/y', '.vscode', './a/.vscode'],
    ['/srv/.git/hooks/pre-commit', 'hooks', '/srv/.git/hooks'],
    ['~/x/.Claude/agents/a.md', '.Claude', '~/x/.Claude'],
  ])('%s lies in %s, which is held as a whole', (pattern, name, whole) => {
    expect(release(pattern)).toEqual([
      `user.toml:3: "${pattern}" in files.release[0] releases nothing: "${name}" is held as a whole; write "${whole}"`,
    ]);
    expect(release(whole)).toEqual([]);
  });

  test.each(['src', '.', '~/x', '.env.example', '.git/refs'])('%s is called like nothing built in', (pattern) => {
    expect(release(pattern)).toEqual([
      expect.stringMatching(/releases nothing: nothing built in is called so; write the path .* "sub\/\.env"/u),
    ]);
  });

  test.each(['holdfast.toml', 'sub/HOLDFAST.toml', '.holdfast/x', '**/holdfast.toml'])(
    '%s belongs to the policy',
    (pattern) => {
      expect(release(pattern)).toEqual([expect.stringContaining('releases nothing')]);
    },
  );

  test.each(['src/*/.env', '**/.env.test', '**/no-such-name', '**/.vscode/settings.json'])(
    '%s is neither',
    (pattern) => {
      expect(problems({ user: `[files]\nrelease = ["${pattern}"]` })).toEqual([
        expect.stringMatching(/releases nothing: .*; write the path, or the name/u),
      ]);
    },
  );
});

test('a pattern cannot forge a line of its own', () => {
  const [found = ''] = problems({ user: '[files]\nread = ["*/\\u202eevil"]' });
  expect(found).toContain('\\u{202e}');
  expect(found).not.toContain('\u202e');
});
