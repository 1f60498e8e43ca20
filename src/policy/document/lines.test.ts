import * as fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { scanLines } from './lines.ts';
import { lineOf } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const text = `# a policy
version = 1

[files]
read = [ # first
  "/a",
  "/b", # with ] and , and "quotes"
  '/c',
]
write = ["x", "y"]
deny = []

[environment.set]
A = "1"
"B" = '2'

[[exec]]
name = "one"
commands = [
  """git
push""",
  "npm"
]

[[exec]]
name = "two"

[[propose]]
name = "p"
[propose.files]
read = [
  "/z"]

[limits]
memory = "1GiB"; process = 3
`.replace('; process = 3', '');

describe('scanLines', () => {
  const lines = scanLines(text);

  test.each([
    ['version', 2],
    ['files', 4],
    ['files.read', 5],
    ['files.read[0]', 6],
    ['files.read[1]', 7],
    ['files.read[2]', 8],
    ['files.write', 10],
    ['files.write[0]', 10],
    ['files.write[1]', 10],
    ['files.deny', 11],
    ['environment.set', 13],
    ['environment.set.A', 14],
    ['environment.set.B', 15],
    ['exec', 17],
    ['exec[0]', 17],
    ['exec[0].name', 18],
    ['exec[0].commands', 19],
    ['exec[0].commands[0]', 20],
    ['exec[0].commands[1]', 22],
    ['exec[1]', 25],
    ['exec[1].name', 26],
    ['propose[0]', 28],
    ['propose[0].name', 29],
    ['propose[0].files', 30],
    ['propose[0].files.read', 31],
    ['propose[0].files.read[0]', 32],
    ['limits.memory', 35],
  ])('%s is on line %i', (path, line) => {
    expect(lines.get(path)).toBe(line);
  });

  test('a missing key has no line', () => {
    expect(lines.get('files.read[3]')).toBeUndefined();
    expect(lines.get('files.deny[0]')).toBeUndefined();
  });
});

describe('other ways to write it', () => {
  test.each([
    ['dotted keys', 'files.read = ["/a"]\nfiles.write = ["/b"]', { 'files.read[0]': 1, 'files.write[0]': 2, files: 1 }],
    [
      'inline tables',
      'files = { read = ["/a",\n "/b"], write = [] }\nx = 1',
      { 'files.read[1]': 2, 'files.write': 2, x: 3 },
    ],
    ['arrays of inline tables', 'exec = [\n { name = "a" },\n { name = "b" }\n]', { 'exec[0].name': 2, 'exec[1]': 3 }],
    ['nested arrays', 'a = [[1, 2],\n [3]]', { 'a[0][1]': 1, 'a[1][0]': 2 }],
    ['Windows line ends', 'a = 1\r\n[b]\r\nc = [\r\n"x"\r\n]', { b: 2, 'b.c[0]': 4 }],
    ['blanks around headers', ' [ a . b ] \n[[ c ]]\n d = 1', { 'a.b': 1, 'c[0].d': 3 }],
    ['quoted headers', '["a b"]\nx = 1\n[\'c\']', { 'a b.x': 2, c: 3 }],
    ['comments with brackets', '# [x]\na = 1 # [y]\n# "\nb = 2', { a: 2, b: 4 }],
    ['strings with everything', 'a = "]}#\\"\\\\"\nb = \'\\\'\nc = 3', { b: 2, c: 3 }],
    ['multi-line strings', 'a = """\n[x]\n""""\nb = \'\'\'\n\n\'\'\'\nc = 1', { b: 4, c: 7 }],
    ['quotes before the end of a multi-line string', 'a = """x"""""\nb = 1', { b: 2 }],
    ['an escaped line end', 'a = """x\\\n  y"""\nb = 1', { b: 3 }],
    ['numbers, dates and booleans', 'a = 1.5e3\nb = 1979-05-27T07:32:00Z\nc = true\nd = inf', { b: 2, d: 4 }],
    ['a table in an array of tables', '[[a]]\n[a.b]\nc = 1\n[[a]]\n[a.b]\nc = 2', { 'a[0].b.c': 3, 'a[1].b.c': 6 }],
    [
      'arrays of tables in arrays of tables',
      '[[a]]\n[[a.b]]\nx = 1\n[[a.b]]\nx = 2\n[[a]]\n[[a.b]]\nx = 3',
      { 'a[0].b[1].x': 5, 'a[1].b[0].x': 8 },
    ],
    ['a trailing comma', 'a = [1,\n2,\n]\nb = 1', { 'a[1]': 2, b: 4 }],
    ['no line end at the end', 'a = 1\nb = 2', { b: 2 }],
    ['nothing', '', {}],
  ])('%s', (_, source, expected) => {
    parse(source);
    expect(Object.fromEntries(scanLines(source))).toMatchObject(expected);
  });
});

test('finds every key of any document that the parser accepts', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '1'), minLength: 1, maxLength: 4 });
  const scalar = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', ']', '#', '=', '{', "'", ','), maxLength: 8 }),
    fc.integer({ min: -99, max: 99 }),
    fc.boolean(),
  );
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
  const table = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });
  const document = fc.dictionary(key, fc.oneof(value, table, fc.array(table, { minLength: 1, maxLength: 3 })), {
    maxKeys: 5,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(document, (data) => {
      const source = stringify(data);
      const lines = scanLines(source);
      for (const path of pathsOf(parse(source))) {
        const line = lines.get(path);
        expect(line, `${path} in\n${source}`).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(source.split('\n').length);
        const name = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
        if (!path.endsWith(']')) expect(source.split('\n')[(line ?? 0) - 1]).toContain(name);
      }
    }),
    { numRuns: rounds(500) },
  );
});

function pathsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => [`${path}[${index}]`, ...pathsOf(item, `${path}[${index}]`)]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...pathsOf(item, at)];
  });
}

describe('lineOf', () => {
  const lines = new Map([
    ['files', 3],
    ['files.read', 4],
    ['exec[0]', 9],
  ]);

  test.each([
    ['files.read[5]', 4],
    ['files.read', 4],
    ['files.write[0]', 3],
    ['exec[0].commands[2]', 9],
    ['exec[1].name', 0],
    ['', 0],
    ['unknown', 0],
    ['[x', 0],
    ['files.[x', 3],
    ['files.a.b]c[', 3],
    ['.', 0],
    ['..[[', 0],
  ])('%s: the nearest thing around it is in line %i', (path, line) => {
    expect(lineOf({ lines }, path)).toBe(line);
  });
});

describe('hostile texts', () => {
  test.each([
    ['a key of 200,000 parts', (size: number) => `${'a.'.repeat(size)}a = 1`],
    ['a header of 200,000 parts', (size: number) => `[${'a.'.repeat(size)}a]\nb = 1`],
    ['200,000 tables', (size: number) => '[[a]]\n'.repeat(size)],
    ['a list of 200,000 items', (size: number) => `a = [${'1,'.repeat(size)}]`],
    ['an open string', (size: number) => `a = "${'x'.repeat(size)}`],
  ])('%s takes linear time', async (_, source) => {
    expect(await growth((size) => scanLines(source(size)), 200_000)).toBeLessThan(linear);
  });

  test.each([
    ['an open list', 'a = ['],
    ['an open table', 'a = {'],
    ['an open header', '[a'],
    ['half an assignment', 'a ='],
    ['only a key', 'a'],
    ['only an equals sign', '='],
    ['brackets', ']]]]'],
  ])('%s ends', (_, source) => {
    scanLines(source);
  });

  test('any input ends', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '[', ']', '{', '}', '=', '"', "'", '\n', '#', ',', '.', '\\', ' '),
          maxLength: 40,
        }),
        (source) => {
          scanLines(source);
        },
      ),
      { numRuns: rounds(3000) },
    );
  });
});
