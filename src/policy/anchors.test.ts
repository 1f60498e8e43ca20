import { describe, expect, test } from 'vitest';
import { type FileAnchor, fileAnchors } from './anchors.ts';
import { hiddenNames, pinnedNames, namesProtectedBy, releasedPaths } from './check-files.ts';
import { policyFrom } from './testing/policies.ts';

const basesFor = (anchors: readonly FileAnchor[], use: FileAnchor['use']): readonly string[] =>
  anchors.filter((anchor) => anchor.use === use).map(({ pattern }) => pattern.base);

describe('fileAnchors', () => {
  test('without any file has the defaults, made absolute', () => {
    const anchors = fileAnchors(policyFrom());
    expect(basesFor(anchors, 'write')).toEqual(['/home/dev/app']);
    expect(basesFor(anchors, 'read')).toEqual(
      expect.arrayContaining(['/usr', '/etc', '/home/dev/.gitconfig', '/home/dev/.cargo/bin']),
    );
    expect(basesFor(anchors, 'ephemeral')).toEqual(
      expect.arrayContaining(['/home/dev/.cache', '/home/dev/.npm', '/home/dev/go/pkg']),
    );
    expect(basesFor(anchors, 'deny')).toEqual(
      expect.arrayContaining([
        '/home/dev/.ssh',
        '/etc/shadow',
        '/home/dev/.config/holdfast',
        '/home/dev/.local/share/fish',
      ]),
    );
    expect(basesFor(anchors, 'release')).toEqual([]);
  });

  test('does not name what every box makes again', () => {
    const bases = fileAnchors(policyFrom()).map(({ pattern }) => pattern.base);
    for (const place of ['/tmp', '/var/tmp', '/dev', '/dev/shm', '/proc']) expect(bases).not.toContain(place);
  });

  test('knows where each comes from', () => {
    const anchors = fileAnchors(
      policyFrom({
        user: '[files]\nread = ["/srv/data"]\nrelease = [".vscode"]',
        project: '[files]\nprotect = ["schema"]',
      }),
    );
    expect(anchors).toContainEqual(
      expect.objectContaining({
        pattern: { kind: 'subtree', base: '/srv/data', source: '/srv/data' },
        use: 'read',
        layer: 'user',
        rule: 'files.read[0]',
        file: 'user.toml',
      }),
    );
    expect(anchors).toContainEqual(
      expect.objectContaining({
        pattern: { kind: 'subtree', base: '/home/dev/app/schema', source: 'schema' },
        use: 'protect',
        layer: 'project',
        rule: 'files.protect[0]',
        file: 'project.toml',
      }),
    );
    expect(anchors).toContainEqual(
      expect.objectContaining({
        pattern: { kind: 'subtree', base: '/home/dev/app/.vscode', source: '.vscode' },
        use: 'release',
        layer: 'user',
        rule: 'files.release[0]',
        file: 'user.toml',
      }),
    );
  });

  test('gives globs their longest literal beginning', () => {
    const anchors = fileAnchors(
      policyFrom({ project: '[files]\ndeny = ["src/*.key", "**/secret", "~/a/**/b"]' }),
    ).filter(({ layer }) => layer === 'project');
    expect(anchors.map(({ pattern }) => pattern)).toEqual([
      { kind: 'glob', base: '/home/dev/app/src', source: 'src/*.key' },
      { kind: 'glob', base: '/', source: '**/secret' },
      { kind: 'glob', base: '/home/dev/a', source: '~/a/**/b' },
    ]);
  });

  test('groups the paths of rules by effect', () => {
    const user = ['allow', 'deny', 'ask']
      .flatMap((decision) => [
        `[[file]]\nname = "${decision}-all"\ndecision = "${decision}"\npaths = ["/srv/${decision}-all"]`,
        `[[file]]\nname = "${decision}-read"\ndecision = "${decision}"\npaths = ["/srv/${decision}-read"]\noperations = ["read"]`,
        `[[file]]\nname = "${decision}-write"\ndecision = "${decision}"\npaths = ["/srv/${decision}-write"]\noperations = ["write"]`,
      ])
      .join('\n');
    const uses = Object.fromEntries(
      fileAnchors(policyFrom({ user }))
        .filter(({ pattern }) => pattern.base.startsWith('/srv/'))
        .map(({ pattern, use }) => [pattern.base.slice(5), use]),
    );
    expect(uses).toEqual({
      'allow-all': 'write',
      'allow-read': 'read',
      'allow-write': 'write',
      'deny-all': 'deny',
      'deny-read': 'deny',
      'deny-write': 'protect',
      'ask-all': 'deny',
      'ask-read': 'deny',
      'ask-write': 'protect',
    });
  });

  test('a ceiling adds only its own paths', () => {
    const anchors = fileAnchors(policyFrom({ project: '[files]\nread = ["src"]\nwrite = []' })).filter(
      ({ layer }) => layer === 'project',
    );
    expect(anchors.map(({ pattern }) => pattern.base)).toEqual(['/home/dev/app/src']);
  });
});

describe('guarded names', () => {
  const chains = (names: readonly { readonly components: readonly string[] }[]): readonly string[] =>
    names.map(({ components }) => components.join('/'));

  test('protect what runs outside the box', () => {
    const names = chains(namesProtectedBy(policyFrom()));
    expect(names).toEqual(
      expect.arrayContaining([
        '.git/hooks',
        '.git/config',
        '.vscode',
        '.claude',
        '.mcp.json',
        '.github/workflows',
        '.husky',
        '.envrc',
        'holdfast.toml',
        'node_modules/.bin/git',
      ]),
    );
    expect(names).not.toContain('.git');
    expect(names).not.toContain('.env');
  });

  test('hide what holds secrets, with exceptions', () => {
    const names = hiddenNames(policyFrom());
    expect(chains(names)).toEqual(expect.arrayContaining(['.env', '.env.*', 'id_rsa', '.bash_history']));
    expect(names.find(({ components }) => components[0] === '.env.*')).toMatchObject({
      effect: 'hidden',
      except: expect.arrayContaining(['.env.example']),
      scope: 'outside-packages',
    });
  });

  test('pin git itself', () => {
    expect(pinnedNames(policyFrom())).toEqual([expect.objectContaining({ components: ['.git'], effect: 'pinned' })]);
  });

  test('lose names released everywhere, or by a prefix', () => {
    const released = policyFrom({
      user: '[files]\nrelease = ["**/.vscode", "**/.git/hooks", "**/.env", "**/.github"]',
    });
    const names = chains(namesProtectedBy(released));
    for (const name of ['.vscode', '.git/hooks', '.github/workflows', '.github/prompts'])
      expect(names).not.toContain(name);
    for (const name of ['.git/config', '.idea', '.git/modules/*/hooks']) expect(names).toContain(name);
    expect(chains(hiddenNames(released))).not.toContain('.env');
    expect(chains(hiddenNames(released))).toContain('.env.*');
  });

  test('keep names released in one place only, which is listed apart', () => {
    const released = policyFrom({ user: '[files]\nrelease = [".vscode", "~/x/.env", "**/.idea", "sub/*/.husky"]' });
    expect(chains(namesProtectedBy(released))).toContain('.vscode');
    expect(releasedPaths(released)).toEqual(['/home/dev/app/.vscode', '/home/dev/x/.env']);
    expect(releasedPaths(policyFrom())).toEqual([]);
  });

  test('keep names that a managed policy does not release', () => {
    const texts = {
      user: '[files]\nrelease = ["**/.vscode", "**/.idea", ".husky", ".envrc"]',
      managed: '[files]\nrelease = ["**/.vscode", ".husky", ".zed"]',
    };
    const names = chains(namesProtectedBy(policyFrom(texts)));
    expect(names).not.toContain('.vscode');
    expect(names).toContain('.idea');
    expect(releasedPaths(policyFrom(texts))).toEqual(['/home/dev/app/.husky']);
  });

  test('never lose the policy file', () => {
    expect(chains(namesProtectedBy(policyFrom({ user: '[files]\nrelease = ["**/holdfast.toml"]' })))).toContain(
      'holdfast.toml',
    );
  });

  test('fit the launcher: at most eight components and eight exceptions, nothing empty', () => {
    const policy = policyFrom();
    for (const { components, except, reason } of [
      ...namesProtectedBy(policy),
      ...hiddenNames(policy),
      ...pinnedNames(policy),
    ]) {
      expect(components.length).toBeGreaterThan(0);
      expect(components.length).toBeLessThanOrEqual(8);
      expect(except.length).toBeLessThanOrEqual(8);
      expect(components.every((component) => component !== '' && component === component.toLowerCase())).toBe(true);
      expect(reason).toMatch(/\w/);
    }
  });
});
