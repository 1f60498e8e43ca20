import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../scripts/testing/work-time.ts';
import type { PolicyRequest } from '../policy/request.ts';
import { type ExtractOptions, extractRequests, pathsBefore, guardRefusal } from './extract.ts';
import { outputPatterns, type OutputSample } from './output-patterns.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const options: ExtractOptions = { cwd: '/srv/project', home: '/home/me', exists: () => true };
const samples = outputPatterns.flatMap((pattern) =>
  pattern.samples.map((sample): [string, typeof pattern, OutputSample] => [sample.line, pattern, sample]),
);

function absolute(path: string): string {
  return path.startsWith('~/') ? resolve(options.home, path.slice(2)) : resolve(options.cwd, path);
}

/** Each request as one word: `read /x`, `connect host:1`. */
function inWords(request: PolicyRequest): string {
  if (request.kind === 'file') return `${request.operation} ${request.path}`;
  return request.kind === 'connect' ? `connect ${request.host}:${request.port}` : request.kind;
}

function extract(output: string, changes: Partial<ExtractOptions> = {}): readonly string[] {
  return extractRequests(output, { ...options, ...changes }).map(inWords);
}

describe('every sample', () => {
  test.each(samples)('%s', (line, pattern, { gives }) => {
    const first = outputPatterns.find((candidate) => candidate.pattern.test(line));
    expect(first).toBe(pattern);
    const asked = [
      ...new Set(
        extractRequests(line, options).flatMap((request) =>
          request.kind === 'file' ? [request.path] : [inWords(request).replace('connect ', '')],
        ),
      ),
    ];
    expect(asked).toEqual(pattern.kind === 'host' ? gives : gives.map(absolute));
  });

  test('is there for every pattern', () => {
    for (const pattern of outputPatterns) expect(pattern.samples.length).toBeGreaterThan(0);
  });

  test("is found in the middle of a program's output, by any line end", () => {
    for (const [line] of samples) expect(extract(`hello\r\n${line}\r\nbye\n`)).toEqual(extract(line));
  });
});

describe('requests about a path', () => {
  test.each([
    ['cat: /x: Permission denied', ['read /x', 'write /x']],
    ["touch: cannot touch '/x': Read-only file system", ['write /x']],
    ["rm: cannot remove '/x': Device or resource busy", ['write /x']],
    ["Error: EBUSY: resource busy or locked, unlink '/x'", ['write /x']],
    ["Error: EPERM: operation not permitted, open '/x'", ['read /x', 'write /x']],
    ["OSError: [Errno 30] Read-only file system: '/x'", ['write /x']],
    ['cat: /x: No such file or directory', ['read /x']],
    ["touch: cannot touch '/x/y': No such file or directory", ['read /x/y', 'write /x/y']],
    ['cat: ../other/x: Permission denied', ['read /srv/other/x', 'write /srv/other/x']],
    ['cat: ~/x: Permission denied', ['read /home/me/x', 'write /home/me/x']],
  ])('%s', (line, expected) => {
    expect(extract(line)).toEqual(expected);
  });

  test('ignore files that the host does not have', () => {
    expect(extract('cat: /x/y: No such file or directory', { exists: () => false })).toEqual([]);
    expect(
      extract("touch: cannot touch '/x/y': No such file or directory", { exists: (path) => path === '/x' }),
    ).toEqual(['write /x/y']);
  });

  test('include every quoted word, because any of them may be the refused one', () => {
    expect(extract("mv: cannot move '/a' to '/b': Read-only file system")).toEqual(['write /a', 'write /b']);
  });
});

describe('pathsBefore', () => {
  test.each([
    ['', []],
    [' ', []],
    [':', [':']],
    ['cat: a:b', ['a:b']],
    ['x: y: z', ['z']],
    ["it's 'a b'", ['a b']],
    ["'", []],
  ])('%j', (text, expected) => {
    expect(pathsBefore(text)).toEqual(expected);
  });
});

describe('hosts', () => {
  test.each(['0', '65536', '99999999999999999999'])('with the impossible port %s are left out', (port) => {
    expect(extract(`curl: (7) Failed to connect to a.example port ${port} after 0 ms`)).toEqual([]);
  });
});

describe('hostile output', () => {
  const giants = [
    'a ',
    ': ',
    "'",
    '‘’',
    '/a:',
    '~/',
    "' '",
    'EACCES: ',
    'EACCES: x, open ',
    '[Errno 1] ',
    'open /',
    'open /a',
    ' port 1',
    'Failed to connect to a',
    'connect ENETUNREACH 1:',
    'getaddrinfo ENOTFOUND ',
    'Could not resolve host ',
    ': Permission denied',
    "x 'y': Read-only file system ",
    '\r',
    '\u{1F600}',
  ];

  test.each(giants)('a megabyte of %j costs little', (part) => {
    const megabyte = part.repeat((1 << 20) / part.length);
    const outputs = [
      megabyte,
      `${megabyte}: Permission denied`,
      `${megabyte}'x: Permission denied`,
      `EACCES: ${megabyte}'`,
      megabyte.replaceAll(/.{4000}/gu, '$&\n'),
    ];
    atMost(2000, () => {
      for (const output of outputs) extractRequests(output, options);
    });
  });

  test('gives at most a few requests, however much is printed', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `cat: /x/${index}: Permission denied`);
    expect(extract(lines.join('\n')).length).toBeLessThanOrEqual(42);
  });

  test('the end counts, which has the last error', () => {
    expect(extract(`${'noise\n'.repeat(100_000)}cat: /x: Permission denied\n`)).toEqual(['read /x', 'write /x']);
    expect(extract(`${'noise '.repeat(100_000)}cat: /x: Permission denied\n`)).toEqual(['read /x', 'write /x']);
  });

  test('gives absolute paths, plausible ports, and never an error', () => {
    const word = fc.oneof(
      fc.constantFrom(...samples.map(([line]) => line)),
      fc.constantFrom('/etc/x', "'", ': ', 'Permission denied', '\0', '..', '\n', '\uD800', '~/'),
      fc.string({ unit: 'binary', maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        for (const request of extractRequests(words.join(''), options)) {
          if (request.kind === 'file') expect(request.path).toMatch(/^\/(?!.*\0)/su);
          else
            expect(request).toMatchObject({
              kind: 'connect',
              port: expect.toSatisfy((port: number) => port > 0 && port < 65_536),
            });
        }
      }),
      { numRuns: rounds(2000) },
    );
  });
});

test.each([
  ['n/ws/.vscode', { request: { kind: 'file', operation: 'create', path: '/ws/.vscode' } }],
  [
    'c/run/x.sock\0/usr/bin/curl',
    { request: { kind: 'socket', operation: 'connect', address: '/run/x.sock' }, program: '/usr/bin/curl' },
  ],
  ['s/run/x.sock\0', { request: { kind: 'socket', operation: 'send', address: '/run/x.sock' } }],
  ['n', { request: { kind: 'file', operation: 'create', path: '' } }],
])('%j', (report, refusal) => {
  expect(guardRefusal(Buffer.from(report))).toEqual(refusal);
});
