import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseHost } from '../normalise/host.ts';
import { type CommandPattern, parseCommandPattern } from './command-pattern.ts';
import { commandCovers, hostCovers, pathCovers, textCovers } from './covers.ts';
import { hostIndex } from './host-index.ts';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import { pathIndex } from './path-index.ts';
import { parsePathPattern } from './path-pattern.ts';
import { pathQuery, type ResolvedPath, resolvePath, patternRoots } from './resolve-path.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const roots = patternRoots({ home: '/h', workspace: '/w' });

function path(source: string): ResolvedPath {
  const pattern = parsePathPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  return resolvePath(pattern, roots, 'exact');
}

function host(source: string): HostPattern {
  const pattern = parseHostPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  return pattern;
}

function command(source: string): CommandPattern {
  const pattern = parseCommandPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  return pattern;
}

describe('paths', () => {
  test.each([
    ['/a', '/a'],
    ['/a', '/a/b'],
    ['/a', '/a/*'],
    ['/', '**/x'],
    ['**/x', '/a/x/b'],
    ['**/x', '**/x'],
    ['/a/*', '/a/b'],
    ['/a/*', '/a/b/*.ts'],
    ['src/*', 'src/*'],
    ['.', 'src'],
  ])('%s covers %s', (a, b) => {
    expect(pathCovers(path(a), path(b))).toBe(true);
  });

  test.each([
    ['/a/b', '/a'],
    ['/a', '/ab'],
    ['/a', '**/x'],
    ['/a/*', '/a'],
    ['/a/*.ts', '/a/b'],
    ['**/x', '/a'],
    ['src', '.'],
  ])('%s does not cover %s', (a, b) => {
    expect(pathCovers(path(a), path(b))).toBe(false);
  });

  test('never says yes where a path is left over', () => {
    const component = fc.constantFrom('a', 'b', '*', 'a*', '**');
    const source = fc
      .tuple(fc.constantFrom('/', '**/'), fc.array(component, { minLength: 1, maxLength: 3 }))
      .map(([start, parts]) => start + parts.join('/'));
    const name = fc.constantFrom('a', 'b', 'ab');
    fc.assert(
      fc.property(source, source, fc.array(name, { maxLength: 4 }), (a, b, components) => {
        fc.pre([a, b].every((text) => parsePathPattern(text).kind === 'path'));
        if (!pathCovers(path(a), path(b))) return;
        const matches = (pattern: ResolvedPath): boolean =>
          pathIndex([{ pattern, order: 0, operations: 1, above: 0, value: 0 }]).first(pathQuery(components, 1)) !==
          undefined;
        if (matches(path(b))) expect(matches(path(a))).toBe(true);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

describe('hosts', () => {
  test.each([
    ['example.com', 'example.com'],
    ['example.com', 'example.com:443'],
    ['example.com:1-100', 'example.com:50'],
    ['*.example.com', 'a.example.com'],
    ['*.example.com', '*.a.example.com'],
    ['*.example.com', '*.example.com'],
    ['any', '*.example.com'],
    ['any', '10.0.0.0/8'],
    ['any', 'localhost'],
    ['10.0.0.0/8', '10.1.2.3'],
    ['10.0.0.0/8', '10.0.0.0/8:80'],
    ['localhost', '127.0.0.1'],
    ['localhost', 'localhost:3000'],
  ])('%s covers %s', (a, b) => {
    expect(hostCovers(host(a), host(b))).toBe(true);
  });

  test.each([
    ['example.com:443', 'example.com'],
    ['example.com:443', 'example.com:80'],
    ['example.com:1-100', 'example.com:50-150'],
    ['example.com', '*.example.com'],
    ['*.example.com', 'example.com'],
    ['*.a.example.com', '*.example.com'],
    ['*.example.com', 'any'],
    ['127.0.0.1', 'localhost'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['10.0.0.0/8', 'localhost'],
    ['*.ample.com', '*.example.com'],
  ])('%s does not cover %s', (a, b) => {
    expect(hostCovers(host(a), host(b))).toBe(false);
  });

  test('never says yes where a host is left over', () => {
    const source = fc.constantFrom(
      'any',
      'any:80',
      'a.b',
      '*.b',
      '*.a.b',
      'a.b:80',
      'localhost',
      'localhost:80',
      '127.0.0.0/8',
      '127.0.0.1',
      '10.0.0.0/8',
      '::/0',
      '*.b:80-90',
    );
    const target = fc.constantFrom(
      'a.b',
      'b',
      'x.b',
      'x.a.b',
      'localhost',
      '127.0.0.1',
      '127.1.1.1',
      '10.1.1.1',
      '::1',
      '2001::1',
    );
    fc.assert(
      fc.property(source, source, fc.tuple(target, fc.constantFrom(80, 85, 443)), (a, b, [name, port]) => {
        if (!hostCovers(host(a), host(b))) return;
        const matches = (pattern: HostPattern): boolean =>
          hostIndex<number, undefined>([{ pattern, order: 0, value: 0 }]).first(
            normaliseHost(name) ?? { text: '' },
            port,
            undefined,
          ) !== undefined;
        if (matches(host(b))) expect(matches(host(a))).toBe(true);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

describe('commands and texts', () => {
  test.each([
    ['git', 'git push'],
    ['git push', 'git push'],
    ['git push', 'git push origin'],
    ['git *', 'git push'],
    ['git p*', 'git push'],
    ['*', 'git push'],
  ])('%s covers %s', (a, b) => {
    expect(commandCovers(command(a), command(b))).toBe(true);
  });

  test.each([
    ['git push', 'git'],
    ['git push', 'git pull'],
    ['git pu*', 'git p*'],
    ['git *', 'git'],
  ])('%s does not cover %s', (a, b) => {
    expect(commandCovers(command(a), command(b))).toBe(false);
  });

  test('texts', () => {
    expect(textCovers('A*', 'AB')).toBe(true);
    expect(textCovers('*', 'A*')).toBe(true);
    expect(textCovers('A*', 'A*')).toBe(true);
    expect(textCovers('A*', 'B')).toBe(false);
    expect(textCovers('AB*', 'A*')).toBe(false);
  });
});
