import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { exampleForms, exampleRequest } from './example-request.ts';
import { ruleTables } from './rule-findings.ts';

const home = '/home/example';
const workspace = '/home/example/workspace';

describe('an example describes a request', () => {
  test.each([
    ['src/x', { operation: 'read', path: `${workspace}/src/x` }],
    ['/abs/x', { operation: 'read', path: '/abs/x' }],
    ['~/x', { operation: 'read', path: `${home}/x` }],
    ['~', { operation: 'read', path: home }],
    ['read src/x', { operation: 'read', path: `${workspace}/src/x` }],
    ['write src/x', { operation: 'write', path: `${workspace}/src/x` }],
    ['create ~/x', { operation: 'create', path: `${home}/x` }],
    ['delete /x', { operation: 'delete', path: '/x' }],
    ['execute bin/x', { operation: 'execute', path: `${workspace}/bin/x` }],
    ['writer', { operation: 'read', path: `${workspace}/writer` }],
    ['write a b', { operation: 'write', path: `${workspace}/a b` }],
  ])('file: %j', (text, expected) => {
    expect(exampleRequest('file', text)).toEqual({ kind: 'file', ...expected });
  });

  test.each([
    ['git push origin', { program: 'git', argv: ['git', 'push', 'origin'] }],
    ["git commit -m 'a b'", { program: 'git', argv: ['git', 'commit', '-m', 'a b'] }],
    ['/usr/bin/git x', { program: '/usr/bin/git', argv: ['/usr/bin/git', 'x'] }],
    ['./build.sh', { program: `${workspace}/./build.sh`, argv: ['./build.sh'] }],
  ])('exec: %j', (text, expected) => {
    expect(exampleRequest('exec', text)).toEqual({ kind: 'exec', context: 'direct', ...expected });
  });

  test.each([
    ['example.com', { host: 'example.com', port: 443, protocol: 'tcp' }],
    ['example.com:80', { host: 'example.com', port: 80, protocol: 'tcp' }],
    ['udp example.com:53', { host: 'example.com', port: 53, protocol: 'udp' }],
    ['tcp example.com', { host: 'example.com', port: 443, protocol: 'tcp' }],
    ['[::1]:80', { host: '[::1]', port: 80, protocol: 'tcp' }],
  ])('connect: %j', (text, expected) => {
    expect(exampleRequest('connect', text)).toEqual({ kind: 'connect', ...expected });
  });

  test.each([
    ['GET https://a.test/x/y', { method: 'GET', scheme: 'https', host: 'a.test', port: 443, path: '/x/y' }],
    ['https://a.test', { method: 'GET', scheme: 'https', host: 'a.test', port: 443, path: '/' }],
    ['POST http://a.test:8080/x', { method: 'POST', scheme: 'http', host: 'a.test', port: 8080, path: '/x' }],
    ['GET ws://a.test/', { method: 'GET', scheme: 'ws', host: 'a.test', port: 80, path: '/' }],
    ['GET wss://[::1]/s?q#f', { method: 'GET', scheme: 'wss', host: '[::1]', port: 443, path: '/s' }],
  ])('http: %j', (text, expected) => {
    expect(exampleRequest('http', text)).toEqual({ kind: 'http', ...expected });
  });

  test.each([
    ['dns', 'a.test', { kind: 'dns', name: 'a.test', recordType: 'A' }],
    ['dns', 'TXT a.test', { kind: 'dns', name: 'a.test', recordType: 'TXT' }],
    ['socket', '/run/x', { kind: 'socket', operation: 'connect', address: '/run/x' }],
    ['socket', 'bind run/x', { kind: 'socket', operation: 'bind', address: `${workspace}/run/x` }],
    ['socket', 'send @abstract', { kind: 'socket', operation: 'send', address: '@abstract' }],
    ['signal', 'SIGKILL', { kind: 'signal', signal: 'SIGKILL', target: 'child' }],
    ['signal', 'KILL outside', { kind: 'signal', signal: 'KILL', target: 'outside' }],
    ['env', 'A_B', { kind: 'env', name: 'A_B' }],
    ['tool', 'server/tool/with/slash', { kind: 'tool', server: 'server', tool: 'tool/with/slash', arguments: '{}' }],
    ['trust', '.mcp.json', { kind: 'trust', path: `${workspace}/.mcp.json`, sha256: '0'.repeat(64) }],
    ['trust', `${'b'.repeat(64)} ~/x`, { kind: 'trust', path: `${home}/x`, sha256: 'b'.repeat(64) }],
    ['registry_rule', 'HKCU\\a', { kind: 'registry', operation: 'read', key: 'HKCU\\a' }],
    ['registry_rule', 'delete HKCU\\a b', { kind: 'registry', operation: 'delete', key: 'HKCU\\a b' }],
  ] as const)('%s: %j', (table, text, expected) => {
    expect(exampleRequest(table, text)).toEqual(expected);
  });
});

describe('other spellings are invalid', () => {
  test.each([
    ['exec', ''],
    ['exec', "git 'open"],
    ['http', 'a.test/x'],
    ['http', 'ftp://a.test'],
    ['http', ''],
    ['dns', 'two names here'],
    ['dns', ''],
    ['connect', ''],
    ['signal', 'SIGKILL everyone'],
    ['signal', 'SIGKILL child now'],
    ['signal', ''],
    ['tool', 'server'],
    ['tool', '/tool'],
    ['tool', ''],
  ] as const)('%s: %j', (table, text) => {
    expect(exampleRequest(table, text)).toBeUndefined();
  });
});

test('every table says how its examples are written, and means it', () => {
  for (const table of ruleTables) {
    const forms = exampleForms[table].match(/"[^"]+"|'[^']+'/g)?.map((form) => String(parse(`x = ${form}`)['x'])) ?? [];
    expect(forms.length, table).toBeGreaterThan(0);
    for (const form of forms) expect(exampleRequest(table, form), form).toBeDefined();
  }
});
