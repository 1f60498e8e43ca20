import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileProblems, grantInstead, refusalInstead, searchedNames } from './check-files.ts';
import { pathIndex } from './patterns/path-index.ts';
import { parsePathPattern } from './patterns/path-pattern.ts';
import { pathQuery, resolvePath, patternRoots } from './patterns/resolve-path.ts';
import { places, policyFrom, type PolicyTexts } from './testing/policies.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const problems = (texts: PolicyTexts) =>
  fileProblems(policyFrom(texts)).map(({ file, line, message, remedy }) => `${file}:${line}: ${message}; ${remedy}`);

test('the built-in rules can all be enforced', () => {
  expect(problems({})).toEqual([]);
});

describe('a grant is a whole path', () => {
  test.each(['read', 'write', 'ephemeral'])('files.%s', (list) => {
    for (const layer of ['user', 'project', 'managed', 'session'] as const) {
      expect(problems({ [layer]: `[files]\n${list} = ["/srv/a", "~/data/*.csv"]` })).toEqual([
        `${layer}.toml:3: "~/data/*.csv" in files.${list}[1] opens nothing: a grant is a mount, and only whole paths can be mounted; write "~/data" for the directory and everything beneath, or name each path`,
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

  test('grants from elsewhere must be whole paths too', () => {
    const granted = [{ name: 'proposal p', file: 'accepted.json', grants: { files: { read: ['**/x'] } } }];
    expect(problems({ granted })).toEqual([
      expect.stringMatching(/^accepted\.json:0: "\*\*\/x" in proposal p \*\*\/x opens nothing/u),
    ]);
  });
});

describe('no one grants the whole machine', () => {
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
        `${layer}.toml:3: "~/x/*.key" in files.${list}[0] cannot be enforced by the kernel; write "**/x/*.key"`,
      ]);
      expect(problems({ [layer]: `[files]\n${list} = ["**/x/*.key", "**/secrets", "~/x", "."]` })).toEqual([]);
    }
  });

  test('in a rule as well', () => {
    const rule = (operations: string) =>
      `[[file]]\nname = "r"\ndecision = "deny"\npaths = ["src/*.sql"]\noperations = ["${operations}"]`;
    for (const operations of ['read', 'write'])
      expect(problems({ project: rule(operations) })).toEqual([
        expect.stringContaining('"src/*.sql" in r cannot be enforced by the kernel; write "**/src/*.sql"'),
      ]);
  });
});

describe('a release is a guarded path, or a whole built-in name', () => {
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
  ])('%s is in %s, which is held as a whole', (pattern, name, whole) => {
    expect(release(pattern)).toEqual([
      `user.toml:3: "${pattern}" in files.release[0] releases nothing: "${name}" is held as a whole; write "${whole}"`,
    ]);
    expect(release(whole)).toEqual([]);
  });

  test.each(['src', '.', '~/x', '.env.example', '.git/refs'])('%s is called like nothing built in', (pattern) => {
    expect(release(pattern)).toEqual([
      expect.stringMatching(/releases nothing: no built-in name matches it; write the path .* "sub\/\.env"/u),
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

describe('searchedNames', () => {
  test.each<[string, readonly string[]]>([
    ['**/secrets', ['secrets']],
    ['**/secrets/*.key', ['secrets', '*.key']],
    ['**/generated/**', ['generated']],
    ['**/*', ['*']],
    ['**/a/b/c/d/e/f/g/h', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ['**/\\{x\\}', ['{x}']],
    ['**/a\\*b', ['a?b']],
    ['**/a\\?b', ['a?b']],
    ['**/a\\\\b', ['a\\b']],
  ])('%s is looked for as %j', (source, components) => {
    expect(searchedNames(source)).toEqual(components);
  });

  test.each([
    '~/x/*.key',
    'src/*.key',
    '/srv/*/x',
    '**/a/**/b',
    '**/**',
    '**/',
    '**',
    'secrets',
    '**/a/b/c/d/e/f/g/h/i',
  ])('%s cannot be looked for', (source) => {
    expect(searchedNames(source)).toBeUndefined();
  });
});

describe('refusalInstead', () => {
  test.each([
    ['~/x/*.key', '**/x/*.key'],
    ['~/*.key', '**/*.key'],
    ['*.key', '**/*.key'],
    ['src/*.key', '**/src/*.key'],
    ['./src/*/x', '**/src/*/x'],
    ['/srv/a/b/*.key', '**/b/*.key'],
    ['/*.key', '**/*.key'],
    ['~/x/**/*.key', '**/*.key'],
    ['**/a/**/b/c', '**/b/c'],
    ['~/x/*/**', '**/x/*'],
    ['~/x/**', '~/x'],
    ['**/**', '/'],
    ['/srv/**', '/srv'],
    ['**/a/b/c/d/e/f/g/h/i', '**/b/c/d/e/f/g/h/i'],
  ])('%s → %s', (source, instead) => {
    expect(refusalInstead(source)).toBe(instead);
  });

  const component = fc.constantFrom('a', 'b', '*', '*.key', 'x?', '**', '\\*', 'a\\?');
  const wild = fc
    .tuple(fc.constantFrom('/srv/', '~/', '', '**/'), fc.array(component, { minLength: 1, maxLength: 11 }))
    .map(([start, rest]) => `${start}${rest.join('/')}`)
    .filter((source) => source !== '**' && /(?<!\\)[*?]/u.test(source));

  test('can be held, and covers all that the pattern means', () => {
    const roots = patternRoots(places);
    const resolve = (source: string) => resolvePath(known(source), roots, 'folded');
    const covers = (source: string, components: readonly string[]) =>
      pathIndex([{ pattern: resolve(source), order: 0, operations: 1, above: 0, value: true }]).first(
        pathQuery(components, 1),
      ) !== undefined;
    const path = fc
      .tuple(
        fc.constantFrom<readonly string[]>(['srv'], roots.homeComponents, roots.workspaceComponents, []),
        fc.array(fc.constantFrom('a', 'b', 'x1', 'k.key', '*', 'a?', 'z'), { maxLength: 12 }),
      )
      .map(([start, rest]) => [...start, ...rest]);
    fc.assert(
      fc.property(wild, path, (source, components) => {
        const instead = refusalInstead(source);
        expect(searchedNames(instead) !== undefined || !/(?<!\\)[*?]/u.test(instead), `${source} → ${instead}`).toBe(
          true,
        );
        if (covers(source, components)) expect(covers(instead, components), `${source} → ${instead}`).toBe(true);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

describe('grantInstead', () => {
  test.each([
    ['~/data/*.csv', '"~/data" for the directory'],
    ['src/*', '"src" for the directory'],
    ['*.csv', '"." for the directory'],
    ['/srv/a/**/b', '"/srv/a" for the directory'],
  ])('%s: write %s', (source, words) => {
    expect(grantInstead(source)).toContain(words);
  });

  test.each(['~/*.csv', '/*', '/*/x', '**/docs', '**'])('%s: has no directory that anyone should grant', (source) => {
    expect(grantInstead(source)).toMatch(/^name each path/u);
  });
});

function known(source: string) {
  const pattern = parsePathPattern(source);
  if (pattern.kind === 'problem') throw new Error(`${source}: ${pattern.message}`);
  return pattern;
}
