import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalPath, windowsPath } from './paths.ts';

const drives = [
  { posix: '/', windows: 'C:\\' },
  { posix: '/data', windows: 'D:\\w' },
  { posix: '/data/deep', windows: 'E:\\' },
];

describe('a path of a plan on Windows', () => {
  test.each([
    ['/', 'C:\\'],
    ['/usr/bin', 'C:\\usr\\bin'],
    ['/data', 'D:\\w'],
    ['/data/a', 'D:\\w\\a'],
    ['/working', 'C:\\working'],
    ['/data/deep', 'E:\\'],
    ['/data/deep/x y', 'E:\\x y'],
    ['/caf\u00e9', 'C:\\caf\u00e9'],
    ['/.env', 'C:\\.env'],
    ['/console', 'C:\\console'],
    ['/com10', 'C:\\com10'],
  ])('%s is %s', (posix, path) => {
    expect(windowsPath(posix, drives)).toEqual({ kind: 'path', path });
  });

  test.each([
    'CON',
    'nul',
    'Nul.txt',
    'nul .txt',
    'COM1',
    'com\u00b9',
    'LPT9.log',
    'CONIN$',
    'aux.tar.gz',
    'a:b',
    '.env:x',
    'a.',
    'a ',
    'a...',
    'a\\b',
    'a*',
    'a?',
    '<',
    '>',
    '|',
    '"',
    'a\tb',
    'PROGRA~1',
    'ENV~1',
    'a~1.txt',
    'x'.repeat(256),
    '\ud800',
    '..',
    '.',
  ])('the name %j has none', (name) => {
    expect(windowsPath(`/data/${name}/x`, drives)).toMatchObject({
      kind: 'none',
      reason: expect.stringMatching(/\w/u),
    });
  });

  test('has no form for places without a drive', () => {
    expect(windowsPath('/usr', [{ posix: '/data', windows: 'D:\\w' }]).kind).toBe('none');
  });

  test('a long one has the prefix for those', () => {
    const posix = `/${Array.from({ length: 30 }, () => 'abcdefghi').join('/')}`;
    expect(windowsPath(posix, drives)).toEqual({ kind: 'path', path: `\\\\?\\C:${posix.replaceAll('/', '\\')}` });
    expect(windowsPath(`/${'abcdefg/'.repeat(5000)}x`, drives).kind).toBe('none');
  });

  test('is canonical, or missing', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'B', '.', ' ', ':', '~', '1', '\\', '*', '\u00e9', 'c', 'o', 'n'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const mapped = windowsPath(`/${names.join('/')}`, drives);
        if (mapped.kind === 'path')
          expect(canonicalPath(mapped.path)).toEqual({ kind: 'path', path: mapped.path.toLowerCase() });
      }),
    );
  });
});

describe('one spelling for every path', () => {
  test.each([
    ['C:\\a\\b', 'c:\\a\\b'],
    ['c:/A/b', 'c:\\a\\b'],
    ['C:\\a\\.\\x\\..\\b\\', 'c:\\a\\b'],
    ['C:\\a\\\\b', 'c:\\a\\b'],
    ['\\\\?\\C:\\A\\b', 'c:\\a\\b'],
    ['C:\\', 'c:\\'],
    ['C:\\..\\..\\a', 'c:\\a'],
  ])('%s', (text, path) => {
    expect(canonicalPath(text)).toEqual({ kind: 'path', path });
  });

  test.each([
    ['C:\\a\\.env:x', 'c:\\a\\.env', 'x'],
    ['C:\\a\\.env::$DATA', 'c:\\a\\.env', ':$DATA'],
    ['C:\\a:$I30:$INDEX_ALLOCATION', 'c:\\a', '$I30:$INDEX_ALLOCATION'],
  ])('%s is a stream of %s', (text, path, stream) => {
    expect(canonicalPath(text)).toEqual({ kind: 'path', path, stream });
  });

  test.each([
    '',
    'a',
    'a\\b',
    'C:',
    'C:a',
    '\\a',
    '/a',
    '\\\\server\\share\\a',
    '//server/share',
    '\\\\localhost\\C$\\a',
    '\\\\127.0.0.1\\c$\\a',
    '\\\\?\\UNC\\server\\share',
    '\\\\.\\C:\\a',
    '\\\\.\\PhysicalDrive0',
    '\\\\?\\GLOBALROOT\\Device\\x',
    '\\\\?\\Volume{00000000-0000-0000-0000-000000000000}\\a',
    '\\??\\C:\\a',
    'C:\\a\\nul',
    'C:\\a\\NUL.txt',
    'C:\\a.\\b',
    'C:\\a \\b',
    'C:\\a\\b.',
    'C:\\a\\b ',
    '\\\\?\\C:\\a.',
    '\\\\?\\C:\\a\\..\\b',
    '\\\\?\\C:\\a/b',
    '\\\\?\\C:\\a\\\\b',
    'C:\\PROGRA~1\\x',
    'C:\\a\\ENV~1',
    'C:\\a\0b',
    'C:\\a*',
    'C:\\a:s\\b',
    'C:\\:s',
    '1:\\a',
    'CC:\\a',
    `C:\\${'a\\'.repeat(20_000)}`,
  ])('%j has none', (text) => {
    expect(canonicalPath(text)).toMatchObject({ kind: 'none', reason: expect.stringMatching(/\w/u) });
  });

  test('is its own, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('C', ':', '\\', '/', '.', '?', 'a', ' ', '~', '1') })),
        (text) => {
          const found = canonicalPath(text);
          if (found.kind === 'path' && found.stream === undefined) expect(canonicalPath(found.path)).toEqual(found);
        },
      ),
    );
  });
});
