import { describe, expect, test } from 'vitest';
import { components, importGraph, longestChain } from './graph.ts';
import { excesses, measure, shown } from './measures.ts';
import { readSource } from './source.ts';

const a = `/** What it does. */
import { b } from './b.ts';

export function a(): number {
  // A comment.
  return b(() => 1);
}
`;

const files = {
  'src/a.ts': a,
  'src/b.ts':
    "import type { C } from './inner/c.ts';\nexport const b = (from: () => number): C => from();\nexport type Same = 1;\n",
  'src/inner/c.ts': `export interface C {}\nexport type Same = 2; // ${'x'.repeat(120)}\n`,
  'src/index.ts': "export { a } from './a.ts';\nexport type * from './b.ts';\n",
};
const sources = Object.entries(files).map(([path, text]) => readSource(path, text));

describe('one file', () => {
  test('is counted in lines, code and functions', () => {
    expect(readSource('src/a.ts', a)).toEqual({
      path: 'src/a.ts',
      lines: 7,
      codeLines: 4,
      wideLines: 0,
      functions: [1, 4],
      imports: ['./b.ts'],
      exports: ['a'],
      isReexport: false,
    });
  });

  test('imports files that it loads late, and those that it names in types', () => {
    const { imports } = readSource(
      'x.ts',
      "export const late = (): Promise<import('./type.ts').T> => import('./late.ts');",
    );
    expect(imports.toSorted()).toEqual(['./late.ts', './type.ts']);
  });

  test('without valid syntax is an error', () => {
    expect(() => readSource('x.ts', 'const = 1')).toThrow('x.ts: ');
  });
});

describe('all of them', () => {
  test('are measured together', () => {
    expect(measure(sources)).toEqual({
      files: 4,
      codeLines: 11,
      fileMedian: 2,
      file90: 7,
      fileMost: 7,
      functionMedian: 1,
      function90: 4,
      wideLines: 1 / 14,
      oneImporter: 0.5,
      exports: 5,
      reexports: 1,
      chain: 4,
      circles: 0,
      sharedNames: 1,
    });
  });

  test('report exceeded limits', () => {
    expect(excesses({ ...measure(sources), chain: 31, fileMedian: 60 })).toEqual([
      'files with one importer: 50.0 %, where at most 25.0 % is allowed',
      'longest import chain: 31, where at most 30 is allowed',
      'names of several files: 1, where at most 0 is allowed',
    ]);
    expect(shown('files', 1234)).toBe('1,234');
  });
});

test('a cycle counts as one, at any length, and each of its files as a step', () => {
  const graph = importGraph(
    [
      ['a', './b.js'],
      ['b', './c'],
      ['c', './a.ts'],
      ['d', './a.ts'],
    ].map(([name, target]) => readSource(`${name}.ts`, `import '${target}';`)),
  );
  expect(components(graph).map((component) => component.toSorted())).toEqual([['a.ts', 'b.ts', 'c.ts'], ['d.ts']]);
  expect(longestChain(graph)).toBe(4);
});
