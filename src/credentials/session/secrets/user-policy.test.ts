import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CredentialTable } from '../../../policy/credentials/schema.ts';
import { replaceFile, withoutTable, withTable, tableText } from './user-policy.ts';

const added = '[[credentials]]\nname = "new"\nsource = { env = "NEW" }\n';

describe('a table is added', () => {
  test.each([
    ['to nothing', '', `version = 1\n\n${added}`],
    ['to blank lines', '\n\n', `version = 1\n\n${added}`],
    ['to a policy', 'version = 1\n', `version = 1\n\n${added}`],
    ['to a policy whose last line has no end', 'version = 1', `version = 1\n\n${added}`],
    ['after comments', '# a\nversion = 1\n# b\n', `# a\nversion = 1\n# b\n\n${added}`],
  ])('%s', (_, policy, expected) => {
    expect(withTable(policy, added)).toBe(expected);
  });
});

describe('a table is taken out', () => {
  const before = '# mine\nversion = 1\n\n[network]\nhosts = ["a"] # why\n';

  test.each([
    ['at the end', `${before}\n${added}`, 0, before],
    ['without a line break at the end', `${before}\n${added.trimEnd()}`, 0, before.trimEnd()],
    ['before another', `${before}\n${added}\n[files]\nread = []\n`, 0, `${before}\n[files]\nread = []\n`],
    ['of several', `${added}\n[[credentials]]\nname = "other"\n`, 1, added],
    [
      'with a table of its own below',
      `${before}\n[[credentials]]\nname = "new"\n[credentials.source]\nenv = "NEW"\n\n[files]\n`,
      0,
      `${before}\n[files]\n`,
    ],
    [
      'with lists over several lines',
      `[[credentials]]\nname = "new"\nhosts = [\n  "a", # [files]\n\n  "b",\n]\n[files]\n`,
      0,
      '[files]\n',
    ],
    [
      'with a text over several lines',
      `[[credentials]]\nname = """\n[files]\n# no comment\n"""\n\n# of files\n[files]\n`,
      0,
      '\n# of files\n[files]\n',
    ],
    [
      'and comments around it stay',
      `${before}\n# of new\n${added}# after new\n\n# of files\n[files]\n`,
      0,
      `${before}\n# of new\n# after new\n\n# of files\n[files]\n`,
    ],
    [
      'between rules',
      `[[file]]\nname = "a"\n\n${added}\n[[file]]\nname = "b"\n`,
      0,
      '[[file]]\nname = "a"\n\n[[file]]\nname = "b"\n',
    ],
    [
      'before a table below another',
      `[network]\n[[credentials]]\nname = "new"\n[environment.set]\nA = "1"\n`,
      0,
      '[network]\n[environment.set]\nA = "1"\n',
    ],
    [
      'written with quotes and blanks',
      'version = 1\n  [[ "credentials" ]]  # mine\nname = "new"\n',
      0,
      'version = 1\n',
    ],
    [
      'with line ends of Windows',
      'version = 1\r\n\r\n[[credentials]]\r\nname = "new"\r\n\r\n[files]\r\n',
      0,
      'version = 1\r\n\r\n[files]\r\n',
    ],
  ])('%s', (...[, policy, index, expected]) => {
    expect(withoutTable(policy, index)).toBe(expected);
  });

  test.each([
    ['is not there', 'version = 1\n', 0],
    ['is one of fewer', added, 1],
    ['stands in a list', 'credentials = [{ name = "new" }]\n', 0],
    ['stands in a list of lines', 'credentials = [\n  { name = "new" },\n]\n', 0],
  ])('never where it %s', (_, policy, index) => {
    expect(withoutTable(policy, index)).toBeUndefined();
  });
});

describe('laws of editing', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/u);
  const piece = fc.oneof(
    fc.constantFrom('# a comment\n', '\n', '#[[credentials]]\n'),
    name.map((each) => `[[credentials]]\nname = "${each}"\nhosts = [\n  "x", # y\n]\n`),
    name.map((each) => `[[credentials]]\nname = "${each}"\n[credentials.source]\nenv = "A"\n`),
    name.map((each) => `[[file]]\nname = "${each}"\npaths = ["""\n[[credentials]]\n"""]\n`),
    fc.uniqueArray(name, { minLength: 1, maxLength: 1 }).map(([each]) => `[[exec]]\nname = '${each ?? ''}'\n`),
  );
  const policy = fc.array(piece, { maxLength: 8 }).map((pieces) => `version = 1\n${pieces.join('')}`);
  const tablesIn = (text: string): readonly unknown[] =>
    (parse(text)['credentials'] as readonly unknown[] | undefined) ?? [];

  test('adding and removing leaves the same text', () => {
    fc.assert(
      fc.property(policy, (text) => {
        const after = withoutTable(withTable(text, added), tablesIn(text).length);
        expect(after?.trimEnd()).toBe(text.trimEnd());
      }),
    );
  });

  test('every table can be taken out, and nothing else goes with it', () => {
    fc.assert(
      fc.property(policy, fc.nat(), (text, seed) => {
        const tables = tablesIn(text);
        fc.pre(tables.length > 0);
        const index = seed % tables.length;
        const after = withoutTable(text, index) ?? '';
        const { credentials: _, ...rest } = parse(after);
        const { credentials: __, ...expected } = parse(text);
        expect(tablesIn(after)).toEqual(tables.filter((_each, at) => at !== index));
        expect(rest).toEqual(expected);
        expect(comments(after)).toEqual(comments(text));
      }),
    );
  });

  function comments(text: string): readonly string[] {
    return text.split('\n').filter((line) => line.startsWith('#'));
  }
});

describe('a table as TOML', () => {
  const table: CredentialTable = {
    name: 'new',
    source: { command: ['sh', '-c', 'echo "a\\b" \'c\''], timeout: '10s' },
    hosts: ['api.example.com', '*.example.com:8443'],
    inject: { kind: 'header', name: 'X-Key', prefix: 'token ' },
    environment: ['URL=postgres://app:{phantom}@db/app'],
    files: [{ path: '~/.netrc', format: 'netrc' }],
    use: 'always',
    shape: { prefix: 'ex_', length: 40 },
  };

  test('keeps its meaning', () => {
    expect(parse(tableText(table))).toEqual({ credentials: [table] });
  });

  test('has one key in a line, its name first', () => {
    expect(tableText({ source: { env: 'A' }, name: 'new' })).toBe(
      '[[credentials]]\nname = "new"\nsource = { env = "A" }\n',
    );
  });

  test('says any text so that it is read as the same', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({
            unit: fc.constantFrom('a', '"', "'", '\\', '\n', '\t', '\u0000', '\u202E', '#', ']', '{', '€', '😀'),
          }),
          { maxLength: 5 },
        ),
        (words) => {
          expect(parse(tableText({ name: 'new', source: { command: words } }))).toEqual({
            credentials: [{ name: 'new', source: { command: words } }],
          });
        },
      ),
    );
  });
});

describe('replace file', () => {
  let directory = '';
  let file = '';

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'holdfast-replace-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    file = join(directory, 'policy.toml');
  });

  test("a new file is its owner's alone", () => {
    replaceFile(file, 'new\n');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(statSync(file).mode & 0o7777).toBe(0o600);
  });

  test.each([0o600, 0o640, 0o644, 0o400])('a mode of %o stays, and no other file is left', (mode) => {
    writeFileSync(file, 'old, and longer\n');
    chmodSync(file, mode);
    replaceFile(file, 'new\n');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(statSync(file).mode & 0o7777).toBe(mode);
    expect(readdirSync(directory)).toEqual(['policy.toml']);
  });

  test('an open old file keeps its text: the new one is another file', () => {
    writeFileSync(file, 'old\n');
    const before = statSync(file).ino;
    replaceFile(file, 'new\n');
    expect(statSync(file).ino).not.toBe(before);
  });

  test('a symlink stays, and its target is replaced', () => {
    mkdirSync(join(directory, 'dotfiles'));
    writeFileSync(join(directory, 'dotfiles/policy.toml'), 'old\n');
    symlinkSync('dotfiles/policy.toml', file);
    replaceFile(file, 'new\n');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'dotfiles/policy.toml'), 'utf8')).toBe('new\n');
  });

  test('a failed replacement keeps the old text, and leaves no other file', () => {
    mkdirSync(join(file, 'not-empty'), { recursive: true });
    expect(() => replaceFile(file, 'new\n')).toThrow();
    expect(readdirSync(directory)).toEqual(['policy.toml']);
  });
});
