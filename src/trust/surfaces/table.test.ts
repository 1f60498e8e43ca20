import { describe, expect, test } from 'vitest';
import { runningKeys } from '../../git-config/keys.ts';
import { hiddenFileNames } from '../../policy/builtin/hidden.ts';
import { protectedNames } from '../../policy/builtin/protected.ts';
import { policyFileNames } from '../../policy/builtin/policy-file-names.ts';
import { providers } from '../../policy/builtin/providers/index.ts';
import { loadsCode } from '../../shell/loads-code.ts';
import { matchFields } from '../extract/match-fields.ts';
import { map, scalar, type Value } from '../extract/value.ts';
import { clientNames, type Surface } from '../types.ts';
import { hiddenSurfaceNames } from './hidden-surface-names.ts';
import { surfaces } from './table.ts';

const hidden = surfaces.filter(({ gate }) => gate === 'hidden');

/** Whether everything that our narrow pattern matches is also matched by the wide one. */
function covers(wide: string, narrow: string): boolean {
  const source = [...wide.toLowerCase()]
    .map((character) =>
      character === '*' ? '.*' : character === '?' ? '.' : character.replace(/[\\^$.|+()[\]{}]/u, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`, 'u').test(narrow.toLowerCase());
}

const isBelow = (components: readonly string[], chain: readonly string[]): boolean =>
  chain.length <= components.length && chain.every((name, index) => covers(name, components[index] ?? ''));
const nameOf = (row: Surface): string => row.name;

describe('the table of surfaces', () => {
  const apart = hidden.filter(
    ({ format, fields }) => fields.length > 0 && format !== 'markdown' && format !== 'dotenv',
  );

  test.each(apart.map((row) => [row.name, row] as const))('%s: its approval shows every key of it', (_, { fields }) => {
    const shown: string[] = [];
    matchFields(map([['unknown', map([['key of tomorrow', scalar('./evil')]])]]), fields, ({ text }) =>
      shown.push(text),
    );
    expect(shown).toEqual(['./evil']);
  });

  test('names are unique and stable words', () => {
    expect(new Set(surfaces.map(nameOf)).size).toBe(surfaces.length);
    for (const { name } of surfaces) expect(name).toMatch(/^[a-z][a-z0-9-]*$/u);
  });

  test.each(surfaces.map((row) => [row.name, row] as const))(
    '%s is well formed',
    (_, { components, fields, source, format, clients }) => {
      expect(components.length).toBeLessThanOrEqual(8);
      for (const [index, component] of components.entries()) {
        expect(component).toMatch(/^[\w.*?-]+$/u);
        if (component.includes('**')) expect([component, index]).toEqual(['**', components.length - 1]);
      }
      expect(components[0]).not.toMatch(/^[*?]+$/u);
      expect(source).toMatch(/^https:\/\/|Mindgard|CVE-|^docs\//u);
      expect(clients.length).toBeGreaterThan(0);
      if (format === 'source') expect(fields).toEqual([]);
    },
  );

  test('no row follows one that covers it completely', () => {
    const shadowed = surfaces.filter((row, index) =>
      surfaces
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.gate === row.gate &&
            earlier.components.join('/').toLowerCase() === row.components.join('/').toLowerCase(),
        ),
    );
    expect(shadowed.map(nameOf)).toEqual([]);
    const late = hidden.filter((row, index) =>
      hidden
        .slice(0, index)
        .some(({ components }) => components.at(-1) === '**' && isBelow(row.components, components.slice(0, -1))),
    );
    expect(late.map(nameOf)).toEqual([]);
  });

  test('every client has a surface', () => {
    for (const client of clientNames)
      expect(
        surfaces.some(({ clients }) => clients.includes(client)),
        client,
      ).toBe(true);
  });
});

describe('the hidden names', () => {
  const names = hiddenSurfaceNames();

  test('have at most eight components, in lower case, each once', () => {
    expect(new Set(names.map((name) => name.join('/'))).size).toBe(names.length);
    for (const name of names) {
      expect(name.length).toBeLessThanOrEqual(8);
      for (const component of name) {
        expect(component).toBe(component.toLowerCase());
        expect(component).not.toContain('**');
      }
    }
  });

  test('include every hidden row, by its own name or by that of a directory above it', () => {
    for (const { components, name } of hidden)
      expect(
        names.some((chain) =>
          isBelow(
            components.filter((component) => component !== '**'),
            chain,
          ),
        ),
        name,
      ).toBe(true);
  });

  test('are protected from writes as well, or the row says why not', () => {
    const chains = [...protectedNames, ...policyFileNames, ...hiddenFileNames]
      .filter(({ depth }) => depth === 'beneath')
      .map(({ components }) => components);
    const open = hidden.filter(
      ({ components, writable }) => writable === undefined && !chains.some((chain) => isBelow(components, chain)),
    );
    expect(open.map(({ name, components }) => `${name}: ${components.join('/')}`)).toEqual([]);
  });

  test('include nothing that work in a repository needs', () => {
    for (const needed of [
      ['.git'],
      ['.git', 'config'],
      ['package.json'],
      ['makefile'],
      ['pyproject.toml'],
      ['.gitattributes'],
      ['.npmrc'],
      ['.env'],
    ])
      expect(
        names.some((name) => isBelow(needed, name)),
        needed.join('/'),
      ).toBe(false);
  });

  test('include no secret, because an approval would bring it into the box', () => {
    const secrets = hiddenFileNames.map(({ components }) => components);
    const both = hidden.filter(
      (row) => row.secrets === undefined && secrets.some((chain) => isBelow(row.components, chain)),
    );
    expect(both.map(nameOf)).toEqual([]);
  });
});

describe('the fields', () => {
  const effectOf = (row: string, keys: readonly string[]): string | undefined => {
    const value = keys.reduceRight<Value>((inner, key) => map([[key, inner]]), scalar('x'));
    let effect: string | undefined;
    matchFields(value, surfaces.find(({ name }) => name === row)?.fields ?? [], ({ pattern }) => {
      effect = pattern.effect;
    });
    return effect;
  };

  test.each([
    'core.hookspath',
    'core.attributesfile',
    'include.path',
    'includeif.gitdir:x.path',
    'init.templatedir',
    'core.fsmonitor',
    'core.sshcommand',
    'core.editor',
    'core.pager',
    'core.askpass',
    'core.gitproxy',
    'core.alternaterefscommand',
    'sequence.editor',
    'pager.log',
    'interactive.difffilter',
    'uploadpack.packobjectshook',
    'credential.helper',
    'credential.https://x.helper',
    'diff.external',
    'diff.x.command',
    'diff.x.textconv',
    'merge.x.driver',
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'gpg.program',
    'gpg.ssh.program',
    'gpg.ssh.defaultkeycommand',
    'difftool.x.cmd',
    'mergetool.x.path',
    'guitool.x.cmd',
    'browser.x.path',
    'man.x.cmd',
    'remote.x.uploadpack',
    'remote.x.receivepack',
    'hook.x.command',
    'trailer.x.cmd',
    'tar.x.command',
    'sendemail.sendmailcmd',
    'sendemail.x.smtpserver',
    'sendemail.tocmd',
    'lfs.customtransfer.x.path',
    'alias.x',
    'submodule.x.update',
  ])('git runs %s, and the table has it', (key) => {
    expect(runningKeys.some((entry) => entry.key.test(key))).toBe(true);
    const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
    expect(
      effectOf(
        'git-config',
        first === last ? key.split('.') : [key.slice(0, first), key.slice(first + 1, last), key.slice(last + 1)],
      ),
    ).toBe('runs');
  });

  test('every key that git runs has an example above', () => {
    expect(runningKeys).toHaveLength(16);
  });

  test('every base URL of a provider redirects, and every variable that loads code runs', () => {
    for (const { baseUrls } of Object.values(providers))
      for (const { name } of baseUrls) expect(effectOf('dotenv', [name]), name).toBe('redirects');
    for (const name of [
      'LD_PRELOAD',
      'LD_AUDIT',
      'DYLD_INSERT_LIBRARIES',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'PYTHONSTARTUP',
      'PERL5OPT',
      'RUBYOPT',
      'BASH_ENV',
      'ENV',
      'PROMPT_COMMAND',
      'GIT_SSH_COMMAND',
      'JAVA_TOOL_OPTIONS',
      '_JAVA_OPTIONS',
      'RUSTC_WRAPPER',
      'CARGO_TARGET_X_RUNNER',
      'LESSOPEN',
      'MANPAGER',
      'BROWSER',
      'GLIBC_TUNABLES',
      'DOTNET_STARTUP_HOOKS',
      'PS4',
    ]) {
      expect(loadsCode(name), name).toBe(true);
      expect(effectOf('dotenv', [name]), name).toBe('runs');
    }
    for (const name of ['ANTHROPIC_API_KEY', 'DATABASE_PASSWORD', 'FOO', 'OPENAI_API_KEY'])
      expect(effectOf('dotenv', [name]), name).toBeUndefined();
  });
});
