import { expect, test } from 'vitest';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import { matchesHostPattern } from './host-index.ts';

test.each([
  ['example.com', { host: 'example.com', port: 1 }, true],
  ['example.com', { host: 'EXAMPLE.com.', port: 1 }, true],
  ['example.com', { host: 'a.example.com', port: 1 }, false],
  ['*.example.com', { host: 'a.b.example.com', port: 1 }, true],
  ['*.example.com', { host: 'example.com', port: 1 }, false],
  ['localhost:80', { host: '127.0.0.1', port: 80 }, true],
  ['localhost:80', { host: '127.9.9.9', port: 80 }, true],
  ['localhost:80', { host: '::1', port: 80 }, true],
  ['localhost:80', { host: 'localhost', port: 81 }, false],
  ['10.0.0.0/8', { host: '10.1.2.3', port: 1 }, true],
  ['10.0.0.0/8', { host: '11.1.2.3', port: 1 }, false],
  ['any', { host: 'example.org', port: 1 }, true],
  ['any', { host: 'no host', port: 1 }, false],
  ['any', { host: '', port: 1 }, false],
] as const)('%s means %j: %s', (source, destination, expected) => {
  expect(matchesHostPattern([parseHostPattern(source) as HostPattern], destination)).toBe(expected);
  expect(matchesHostPattern([], destination)).toBe(false);
});
