import { expect, test } from 'vitest';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import { matchesHostPattern } from './matches-host-pattern.ts';

test.each([
  ['example.com', 'example.com', 1, true],
  ['example.com', 'EXAMPLE.com.', 1, true],
  ['example.com', 'a.example.com', 1, false],
  ['*.example.com', 'a.b.example.com', 1, true],
  ['*.example.com', 'example.com', 1, false],
  ['localhost:80', '127.0.0.1', 80, true],
  ['localhost:80', '127.9.9.9', 80, true],
  ['localhost:80', '::1', 80, true],
  ['localhost:80', 'localhost', 81, false],
  ['10.0.0.0/8', '10.1.2.3', 1, true],
  ['10.0.0.0/8', '11.1.2.3', 1, false],
  ['any', 'example.org', 1, true],
  ['any', 'no host', 1, false],
  ['any', '', 1, false],
])('%s means %s:%i: %s', (source, host, port, expected) => {
  expect(matchesHostPattern([parseHostPattern(source) as HostPattern], { host, port })).toBe(expected);
  expect(matchesHostPattern([], { host, port })).toBe(false);
});
