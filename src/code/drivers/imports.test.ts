import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';

const text = readFileSync(join(import.meta.dirname, 'imports.cjs'), 'utf8');
const withoutImports = compileFunction(`${text}\nreturn withoutImports(source);`, ['source']) as (
  source: string,
) => string;

describe('imports become calls', () => {
  test.each([
    ["import 'a';", 'await __holdfastImport("a");'],
    ["import fs from 'node:fs'", 'const { default: fs } = await __holdfastImport("node:fs");'],
    ['import * as p from "a";\np', 'const p = await __holdfastImport("a");\np'],
    ["import d, { a as b, c } from 'm';", 'const { default: d, a: b, c } = await __holdfastImport("m");'],
    ["import d, * as n from 'm';", 'const n = await __holdfastImport("m"); const { default: d } = n;'],
    ["import {\n  a,\n} from 'm';\na", 'const { a } = await __holdfastImport("m");\n\n\na'],
    [
      "import j from './j.json' with { type: 'json' };",
      'const { default: j } = await __holdfastImport("./j.json", { with: { type: \'json\' } });',
    ],
    ["const m = await import('m');", "const m = await __holdfastImport('m');"],
    ["x = 1; import 'a'; y", 'x = 1; await __holdfastImport("a"); y'],
    ["`${await import('a')} import('b')`", "`${await __holdfastImport('a')} import('b')`"],
    ["`${{ a: `${import('a')}` }}`", "`${{ a: `${__holdfastImport('a')}` }}`"],
    ["f(/import('a')/, 1 / import('b'))", "f(/import('a')/, 1 / __holdfastImport('b'))"],
  ])('%s', (source, expected) => {
    expect(withoutImports(source)).toBe(expected);
  });

  test.each([
    "'import(1)'",
    '"a\\" import(1)"',
    '// import("a")',
    '/* import("a") */ 1',
    '`import(1)`',
    '`\\${import(1)}`',
    'a.import(1)',
    'reimport(1)',
    'import_(1)',
    'return /[/"]import(1)/',
    'import.meta',
    '({ import: 1 })',
    '',
    '`${',
    "'",
    '/*',
  ])('%s stays', (source) => {
    expect(withoutImports(source)).toBe(source);
  });
});
