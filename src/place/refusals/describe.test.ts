import { describe, expect, test } from 'vitest';
import type { PolicyRequest } from '../../policy/request.ts';
import { describeRequest, place, refusalLine } from './describe.ts';
import { type Refusal, withNews, withoutDoubles } from './refusal.ts';

const verdict: Refusal['verdict'] = {
  decision: 'deny',
  code: 'not-granted',
  rule: 'files.read.default',
  layer: 'user',
  file: 'built-in',
  line: 0,
  message: 'reading /x is refused',
  remedy: 'use --read /x',
};
const file = (operation: 'read' | 'write', path: string): Refusal => ({
  request: { kind: 'file', operation, path },
  verdict,
});

describe('describeRequest', () => {
  test.each<[PolicyRequest, string]>([
    [{ kind: 'file', operation: 'read', path: '/x' }, 'read /x'],
    [{ kind: 'exec', program: '/bin/sh', argv: ['sh', '-c', 'x'], context: 'direct' }, 'run sh -c x'],
    [{ kind: 'connect', host: 'a.example', port: 443, protocol: 'tcp' }, 'connect to a.example:443'],
    [
      { kind: 'http', method: 'GET', scheme: 'https', host: 'a.example', port: 443, path: '/x' },
      'GET https://a.example:443/x',
    ],
    [{ kind: 'dns', name: 'a.example', recordType: 'A' }, 'resolve a.example'],
    [{ kind: 'socket', operation: 'connect', address: '/run/x' }, 'connect socket /run/x'],
    [{ kind: 'signal', signal: 'SIGTERM', target: 'outside' }, 'send SIGTERM to outside'],
    [{ kind: 'env', name: 'X' }, 'pass X'],
    [{ kind: 'tool', server: 's', tool: 't', arguments: '{}' }, 'call s/t'],
    [{ kind: 'trust', path: '/x', sha256: 'ab' }, 'trust /x'],
    [{ kind: 'registry', operation: 'read', key: 'HKLM\\x' }, 'read HKLM\\x'],
  ])('%o', (request, words) => {
    expect(describeRequest(request)).toBe(words);
  });
});

test('never lets a name repaint the terminal, forge a second line or swap its words', () => {
  const line = describeRequest({
    kind: 'file',
    operation: 'read',
    path: '/x\u001B]52;c;eA==\u0007\nholdfast: allowed\u202E\u2028',
  });
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(line).toContain('\\u{1b}');
  expect(place({ file: '/w\n/holdfast.toml', line: 3 })).toBe('/w\\u{a}/holdfast.toml:3');
});

describe('refusalLine', () => {
  test('names subject, rule, place and grant, on one line', () => {
    expect(refusalLine(file('read', '/x'))).toBe(
      'holdfast: reading /x is refused (files.read.default, built-in); use --read /x',
    );
    expect(place({ file: '/home/me/policy.toml', line: 7 })).toBe('/home/me/policy.toml:7');
  });
});

describe('withoutDoubles', () => {
  test('leaves out the write where the read is refused already', () => {
    expect(withoutDoubles([file('read', '/a'), file('write', '/a'), file('write', '/b')])).toEqual([
      file('read', '/a'),
      file('write', '/b'),
    ]);
  });
});

describe('withNews', () => {
  test('leaves out enforced refusals, and keeps a read if only making the file was refused', () => {
    expect(
      withNews(
        [file('read', '/a'), file('write', '/b')],
        [file('read', '/a'), file('write', '/a'), file('read', '/b'), file('write', '/b'), file('read', '/c')],
      ),
    ).toEqual([file('read', '/a'), file('write', '/b'), file('read', '/b'), file('read', '/c')]);
  });
});
