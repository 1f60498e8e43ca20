import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost, growth, linear } from '../../../scripts/testing/work-time.ts';
import { surfaces } from '../surfaces/table.ts';
import { sampleOf } from '../surfaces/testing/samples.ts';
import type { Surface } from '../types.ts';
import { extract, parseGitSettings } from './extract-fields.ts';
import { parseDotenv, parseGitAttributes, parseIni } from './lines.ts';
import { parseMarkdown } from './markdown.ts';
import { plain } from './testing/plain.ts';
import { parseToml } from './toml.ts';
import type { ParsedValue } from './value.ts';
import { parseXml } from './xml.ts';
import { parseYaml } from './yaml.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const surfaceNamed = (name: string): Surface => surfaces.find((row) => row.name === name) ?? expect.fail(name);
const fieldsOf = async (name: string, text: string | Buffer): Promise<readonly string[]> =>
  (await extract(surfaceNamed(name), Buffer.from(text))).fields.map(
    ({ path, effect, value }) => `${path} ${effect} ${value}`,
  );

describe('every row of the table', () => {
  test.each(surfaces.map((row) => [row.name, row] as const))(
    '%s: finds its named fields in a sample',
    async (_, row) => {
      for (const { text, path } of sampleOf(row)) {
        const { fields, problem } = await extract(row, Buffer.from(text));
        expect(problem, text).toBeUndefined();
        expect(
          fields.map((field) => field.path),
          text,
        ).toContain(path);
      }
    },
  );

  test.each(surfaces.filter(({ format }) => format !== 'source').map((row) => [row.name, row] as const))(
    '%s: binary content is one field',
    async (_, row) => {
      for (const bytes of [
        Buffer.from([0xff, 0xfe, 0x61, 0x00]),
        Buffer.from('a\0b'),
        Buffer.from('\ud800', 'utf16le'),
      ]) {
        const { fields, problem } = await extract(row, bytes);
        expect(problem).toBeDefined();
        expect(fields).toHaveLength(1);
        expect(fields[0]).toMatchObject({ path: '', value: expect.stringContaining('sha256') });
      }
    },
  );
});

describe('the displayed fields', () => {
  test('hidden characters and escape sequences are revealed', async () => {
    const [field = ''] = await fieldsOf(
      'claude-mcp',
      JSON.stringify({ mcpServers: { 'a\u202Eb': { command: 'x\u200B\u001B[2K' } } }),
    );
    for (const character of ['\u202E', '\u200B', '\u001B']) expect(field).not.toContain(character);
  });

  test('a long value is cut, and a change after the cut is seen', async () => {
    const one = await fieldsOf(
      'claude-mcp',
      JSON.stringify({ mcpServers: { a: { command: `${'x'.repeat(5000)}1` } } }),
    );
    const other = await fieldsOf(
      'claude-mcp',
      JSON.stringify({ mcpServers: { a: { command: `${'x'.repeat(5000)}2` } } }),
    );
    expect(one[0]?.length).toBeLessThan(2300);
    expect(one).not.toEqual(other);
  });

  test.each([
    [
      'claude-mcp',
      '{"mcpServers":{"a":{"env":{"API_TOKEN":"hunter2","LD_PRELOAD":"./e.so"},"headers":{"Authorization":"Bearer hunter2"}}}}',
      './e.so',
    ],
    ['dotenv', 'ANTHROPIC_BASE_URL=http://sink\nANTHROPIC_API_KEY=hunter2\n', 'http://sink'],
    ['npmrc', '//registry.npmjs.org/:_authToken=hunter2\nregistry=http://sink\n', 'http://sink'],
    ['dotenv', 'ANTHROPIC_BASE_URL=http://sink\nX=hunter2\0', 'sha256'],
    [
      'git-config',
      '[http "https://x"]\n\textraheader = AUTHORIZATION: basic hunter2\n[core]\n\tpager = ./sink\n',
      './sink',
    ],
  ])('%s: hides secrets, and shows effective values', async (name, text, shown) => {
    const all = (await fieldsOf(name, text)).join('\n');
    expect(all).not.toContain('hunter2');
    expect(all).toContain(shown);
  });
});

describe('files made to be hard to read', () => {
  test.each([
    ['50 MB of JSON', 'claude-mcp', () => Buffer.alloc(50 << 20, '[')],
    ['50 MB of YAML', 'aider-config', () => Buffer.alloc(50 << 20, '- ')],
    [
      'too many fields for a person',
      'claude-mcp',
      () => Buffer.from(JSON.stringify({ x: Array.from({ length: 100_000 }, (_, index) => index) })),
    ],
    ['a key twice', 'claude-mcp', () => Buffer.from('{"mcpServers":{},"mcpServers":{"a":{"command":"x"}}}')],
  ])('%s: is a problem, and the whole file is one field', async (_, name, bytes) => {
    const { fields, problem } = await extract(surfaceNamed(name), bytes());
    expect(problem).toBeDefined();
    expect(fields.at(-1)?.path).toBe('');
    expect(fields.length).toBeLessThanOrEqual(2001);
  });

  const hard = ['jsonc', 'toml', 'yaml', 'ini', 'git-config', 'git-attributes', 'dotenv', 'xml', 'markdown'] as const;

  test.each(hard)('%s: no text makes its reader take more than linear time', { timeout: 120_000 }, async (format) => {
    const parts = [
      '{"a":',
      'a = 1\n',
      '[a]\n',
      'a: b\n',
      '- a\n',
      '<a>',
      '<a b="c"/>',
      '<',
      '&amp;',
      '!`',
      '!{',
      '@a ',
      'A="',
      "A='\n",
      'A=\\\n',
      '"',
      '[[a]]\n',
      'x.',
      'a.b=1\n',
      '? ',
      '&a ',
      '*a ',
      '    ',
      '\n',
      '\r',
      '---\n',
      '\\u0061',
      '"a":1,',
    ];
    const row =
      surfaces.find((candidate) => candidate.format === format && candidate.fields.length > 0) ?? expect.fail(format);
    const slow: string[] = [];
    for (const part of parts) {
      const times = await growth((size) => extract(row, Buffer.from(part.repeat(size / part.length))), 32 << 10);
      if (times > linear) slow.push(`${JSON.stringify(part)} ${times.toFixed(1)}`);
    }
    expect(slow).toEqual([]);
  });

  test('mutated samples of every format never throw, and unreadable ones are a problem', {
    timeout: 120_000,
  }, async () => {
    const rows = [
      ...Map.groupBy(
        surfaces.filter(({ fields }) => fields.length > 0),
        ({ format }) => format,
      ).values(),
    ].flatMap((group) => group.slice(0, 3));
    const edits = fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(20),
        put: fc.oneof(
          fc.string({ unit: 'binary', maxLength: 8 }),
          fc.constantFrom(
            '"',
            '{',
            '}',
            '[',
            ']',
            '---\n',
            '&a',
            '*a',
            '<!DOCTYPE',
            ']]>',
            '\r',
            '\0',
            '\uFEFF',
            '!!x ',
            '<<: ',
            '__proto__',
            '\\',
          ),
        ),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...rows), fc.nat(), edits, async (row, chosen, changes) => {
        const samples = sampleOf(row);
        const text = changes.reduce(
          (all, { at, cut, put }) => {
            const start = Math.floor(at * all.length);
            return all.slice(0, start) + put + all.slice(start + cut);
          },
          samples[chosen % samples.length]?.text ?? '',
        );
        const { fields, problem } = await extract(row, Buffer.from(text));
        if (problem !== undefined) expect(fields.at(-1)?.path).toBe('');
      }),
      { numRuns: rounds(1500) },
    );
  });
});

const markdown = (text: string): ParsedValue => parseMarkdown(text, parseYaml);

const readable: readonly (readonly [
  name: string,
  read: (text: string) => ParsedValue,
  text: string,
  expected: unknown,
])[] = [
  [
    'TOML',
    parseToml,
    'notify = ["sh", "-c"]\n[a."b.c"]\nx = 1979-05-27\n',
    { notify: ['sh', '-c'], a: { 'b.c': { x: '1979-05-27' } } },
  ],
  ['TOML', parseToml, '__proto__ = 1\nn = 9007199254740993\n', { ['__proto__']: '1', n: '9007199254740993' }],
  [
    'YAML',
    parseYaml,
    'a: &x {run: ls}\nb: *x\nc:\n  <<: *x\n  d: 0o17\n',
    { a: { run: 'ls' }, b: { run: 'ls' }, c: { run: 'ls', d: '0o17' } },
  ],
  ['YAML', parseYaml, 'a: 1\n---\nb: 2\n', [{ a: '1' }, { b: '2' }]],
  ['YAML', parseYaml, '- |\n  one\n  two\n- yes\n- ~\n', ['one\ntwo\n', 'yes', '~']],
  ['YAML', parseYaml, '', []],
  [
    'INI',
    parseIni,
    'registry=https://x/\n@s:registry = "https://y/"\n# c\n; d\nflag\n[global]\nindex-url: https://z/\nextra =\n  a\n  b\n',
    {
      registry: 'https://x/',
      '@s:registry': 'https://y/',
      flag: 'true',
      global: { 'index-url': 'https://z/', extra: 'a\nb' },
    },
  ],
  ['INI with lone carriage returns', parseIni, 'a=1\rb=2\r\nc=3', { a: '1', b: '2', c: '3' }],
  [
    'dotenv',
    parseDotenv,
    'A=1 # c\nexport B="x\ny"\n C = \'z # no\'\nD: w\n#E=5\nF=`b`\rG=7',
    { A: '1', B: 'x\ny', C: 'z # no', D: 'w', F: 'b', G: '7' },
  ],
  [
    'INI with keys in quotes and escapes, as npm and Java have them',
    parseIni,
    '"registry"=a\n\'proxy\' = b\n"\\u0063afile"=c\n\\u0067it=d\n',
    { registry: 'a', proxy: 'b', cafile: 'c', git: 'd' },
  ],
  [
    'INI with an indented line, which npm takes for a setting',
    parseIni,
    'a=1\n  registry=https://evil/\n  https://more/\n',
    { a: '1\nregistry=https://evil/\nhttps://more/', registry: 'https://evil/' },
  ],
  [
    'dotenv with a quote that only some readers continue',
    parseDotenv,
    'A="x\nNODE_OPTIONS=--require ./e.js\nB="y\n',
    { A: 'x\nNODE_OPTIONS=--require ./e.js\nB=', NODE_OPTIONS: '--require ./e.js', B: '"y' },
  ],
  [
    'Markdown that runs several lines',
    markdown,
    'a !`id\nb` c\n```!\nwhoami\n  ls\n```\n```\nnot run\n```\n',
    { command: { 1: 'whoami\n  ls\n' }, text: expect.stringMatching(/^10 lines/u) },
  ],
  [
    'attributes',
    parseGitAttributes,
    '*.txt diff=evil -text\n"a b" filter=x\n# c\n[attr]m merge=y\n*.md text\n',
    { '*.txt': { diff: 'evil' }, '"a b"': { filter: 'x' }, '[attr]m': { merge: 'y' }, '*.md': {} },
  ],
  [
    'git settings',
    parseGitSettings,
    '[filter "L F.x"]\nclean = evil\n[core]\nfsmonitor\n',
    { filter: { 'L F.x': { clean: 'evil' } }, core: { fsmonitor: 'true' } },
  ],
  [
    'XML',
    parseXml,
    '\uFEFF<?xml version="1.0"?>\n<!-- c --><a><option name="P" value="&lt;x&#x41;&#66;&amp;"/><t>one<![CDATA[<two>]]></t></a>',
    { a: { option: { P: { name: 'P', value: '<xAB&' } }, t: { text: 'one<two>' } } },
  ],
  [
    'Markdown',
    markdown,
    '---\nallowed-tools: Bash(ls)\n---\nSee @docs/a.md and a@b.c, !`id` or !{whoami}\n',
    {
      front: { 'allowed-tools': 'Bash(ls)' },
      import: { 'docs/a.md': 'docs/a.md' },
      command: { 1: 'whoami' },
      text: expect.stringMatching(/^2 lines, sha256 [\da-f]{64}$/u),
    },
  ],
];

const broken: readonly (readonly [name: string, read: (text: string) => ParsedValue, text: string, problem: RegExp])[] =
  [
    ['a key twice in TOML', parseToml, 'a = 1\na = 2\n', /not TOML from line 2/u],
    ['arrays in arrays in TOML', parseToml, `a = ${'['.repeat(5000)}`, /not TOML|nested/u],
    ['a key twice in YAML', parseYaml, 'a: 1\na: 2\n', /twice/u],
    ['a comment that ends at a carriage return in YAML', parseYaml, 'a: 1\n# c\rlint-cmd: evil\n', /line breaks/u],
    [
      'a comment that ends at another line break of YAML 1.1',
      parseYaml,
      'a: 1 # c\u0085lint-cmd: evil\n',
      /line breaks/u,
    ],
    ['front matter of another language', markdown, '---js\n{ a: require("child_process") }\n---\nx', /front matter/u],
    ['front matter without an end for Holdfast', markdown, '---\nhooks: 1\nx: y---\nx', /front matter/u],
    ['front matter that ends sooner for others', markdown, '---\nx: y--- \nhooks: 1\n---\nx', /front matter/u],
    ['front matter after a blank line', markdown, '\n---\nhooks: 1\n---\nx', /front matter/u],
    ['XML in another encoding', parseXml, '<?xml version="1.0" encoding="UTF-7"?><a/>', /another encoding/u],
    ['YAML that names itself', parseYaml, 'a: &a [*a]\n', /names itself/u],
    [
      'YAML that grows',
      parseYaml,
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefg'].map((key, index) => `${key}: &${key} [${`*${'abcdef'[index] ?? ''},`.repeat(9)}]`).join('\n')}\n`,
      /aliases/u,
    ],
    ['many aliases', parseYaml, `a: &a 1\nb: [${'*a,'.repeat(200)}]`, /100 aliases/u],
    ['an alias of nothing', parseYaml, 'a: *x\n', /not plain YAML|names nothing/u],
    ['a tag that makes objects', parseYaml, 'a: !!python/object/apply:os.system ["id"]\n', /tag|not plain YAML/u],
    ['a custom tag', parseYaml, 'a: !run ls\n', /tag|not plain YAML/u],
    ['a map as a key', parseYaml, '? {a: 1}\n: x\n', /not text/u],
    ['deep flow YAML', parseYaml, '['.repeat(100_000), /nested/u],
    ['deep block YAML', parseYaml, '- '.repeat(50_000), /nested/u],
    [
      'deep indented YAML',
      parseYaml,
      Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      /nested/u,
    ],
    ['tabs in YAML', parseYaml, 'a:\n\t- b\n', /not plain YAML/u],
    ['git settings that git refuses', parseGitSettings, '[core\nx = y', /git stops reading/u],
    ['a document type', parseXml, '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', /document type/u],
    ['an entity that nothing defines', parseXml, '<a>&e;</a>', /not defined/u],
    ['a lone ampersand', parseXml, '<a b="&"/>', /not defined/u],
    ['a character beyond Unicode', parseXml, '<a>&#x110000;</a>', /not defined/u],
    ['an element that does not end', parseXml, '<a><b></b>', /does not end/u],
    ['an end without a beginning', parseXml, '<a></b></a>', /ends without a beginning/u],
    ['deep XML', parseXml, '<a>'.repeat(100_000), /nested/u],
    ['half a tag', parseXml, '<a b="', /not XML/u],
    ['broken front matter', markdown, '---\na: [\n---\nx', /not plain YAML/u],
    [
      'a text that loads a thousand files',
      markdown,
      Array.from({ length: 1000 }, (_, index) => `@f${index}`).join(' '),
      /more than 200/u,
    ],
  ];

describe('accepted texts of each reader', () => {
  test.each(readable)('%s: %#', (...[, read, text, expected]) => {
    const { value, problem } = read(text);
    expect(problem).toBeUndefined();
    expect(plain(value)).toEqual(plainPattern(expected));
  });

  test.each(broken)('%s is a problem', (...[, read, text, problem]) => {
    expect(atMost(6000, () => read(text)).problem).toMatch(problem);
  });
});

/** Keeps the two forms of Markdown that contain a matcher of vitest. */
function plainPattern(expected: unknown): unknown {
  const shape = expected as { readonly text?: unknown } | null;
  if (
    typeof shape !== 'object' ||
    shape === null ||
    typeof shape.text !== 'object' ||
    shape.text === null ||
    !('asymmetricMatch' in shape.text)
  )
    return plain(expected);
  const { pairs } = plain({ ...shape, text: '' }) as { readonly pairs: readonly (readonly [string, unknown])[] };
  return { pairs: pairs.map(([key, value]) => [key, key === 'text' ? shape.text : value]) };
}
