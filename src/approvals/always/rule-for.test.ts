import { describe, expect, test } from 'vitest';
import type { PolicyRequest } from '../../policy/request.ts';
import { ruleFor } from './rule-for.ts';

describe('pattern characters are written as text', () => {
  test.each<readonly [PolicyRequest, string]>([
    [{ kind: 'file', operation: 'read', path: '/a*b?c{d}' }, String.raw`paths = ['/a\*b\?c\{d\}']`],
    [
      { kind: 'http', method: 'GET', scheme: 'https', host: 'a.test', port: 443, path: '/*/x?' },
      String.raw`paths = ['/\*/x\?']`,
    ],
    [{ kind: 'socket', operation: 'connect', address: '@a*' }, String.raw`addresses = ['@a\*']`],
    [{ kind: 'env', name: 'A*' }, String.raw`names = ['A\*']`],
    [{ kind: 'tool', server: 'a*', tool: '?', arguments: '' }, String.raw`tools = ['a\*/\?']`],
    [{ kind: 'trust', path: '/a*', sha256: 'a' }, String.raw`paths = ['/a\*']`],
  ])('%j', (request, part) => {
    expect(ruleFor(request, 'asking')?.text).toContain(part);
  });
});

test.each<readonly [string, PolicyRequest, readonly string[]]>([
  [
    'a command',
    { kind: 'exec', program: '/usr/bin/git', argv: ['git', 'push'], context: 'nested' },
    ['context = "nested"'],
  ],
  [
    'a connection',
    { kind: 'connect', host: 'a.test', port: 53, protocol: 'udp' },
    ['ports = [53]', 'protocol = "udp"'],
  ],
  [
    'a request',
    { kind: 'http', method: 'PUT', scheme: 'wss', host: 'a.test', port: 8443, path: '/' },
    ['ports = [8443]', 'schemes = ["wss"]', 'methods = ["PUT"]', 'paths = ["/"]'],
  ],
  ['a look-up', { kind: 'dns', name: 'a.test', recordType: 'MX' }, ['types = ["MX"]']],
  [
    'a signal',
    { kind: 'signal', signal: 'SIGHUP', target: 'outside' },
    ['signals = ["SIGHUP"]', 'targets = ["outside"]'],
  ],
])('%s is allowed with all that is known of it', (...[, request, parts]) => {
  for (const part of parts) expect(ruleFor(request, 'asking')?.text).toContain(part);
});

test('the asking rule’s name cannot end its quotation', () => {
  const text = ruleFor({ kind: 'env', name: 'A' }, 'a"\n[[env]]\nname = "*')?.text ?? '';
  expect(text.split('\n').filter((line) => line.startsWith('[['))).toEqual(['[[env]]']);
});

test.each<readonly [string, PolicyRequest]>([
  ['an escape sequence in a path', { kind: 'file', operation: 'read', path: '/a\u001b[2J' }],
  ['a line break in a socket', { kind: 'socket', operation: 'bind', address: '/a\nb' }],
  [
    'a program that is called like another',
    { kind: 'exec', program: '/bin/busybox', argv: ['vi', 'x'], context: 'direct' },
  ],
  [
    'a word that nobody knows',
    { kind: 'exec', program: '/usr/bin/git', argv: ['git', 'push', '$x'], context: 'direct', unknown: [2] },
  ],
  ['a program without a place', { kind: 'exec', program: 'git', argv: ['git', 'push'], context: 'direct' }],
  ['a host that is none', { kind: 'connect', host: '*.a.test', port: 1, protocol: 'tcp' }],
])('%s is written by no rule', (...[, request]) => {
  expect(ruleFor(request, 'asking')).toBeUndefined();
});
