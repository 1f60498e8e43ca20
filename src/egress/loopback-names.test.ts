import { expect, test } from 'vitest';
import { isLocalhost, meansHost } from './loopback-names.ts';

test.each([
  ['localhost', true],
  ['a.localhost', true],
  ['a.b.localhost', true],
  ['localhost.example', false],
  ['notlocalhost', false],
  ['', false],
])('%j is loopback: %j', (name, expected) => {
  expect(isLocalhost(name)).toBe(expected);
});

test.each([
  ['a.example', 'a.example'],
  ['localhost', '127.0.0.1'],
  ['localhost', '::1'],
  ['app.localhost', '127.0.0.1'],
  ['127.0.0.1', 'localhost'],
  ['::1', '127.0.0.1'],
])('%s means %s', (name, host) => {
  expect(meansHost(name, host)).toBe(true);
});

// Attack: a name that leads to loopback for nobody but the one who asks for it.
test.each([
  ['localhost', 'a.example'],
  ['127.0.0.1', 'a.example'],
  ['a.example', '127.0.0.1'],
  ['localhost.evil.example', '127.0.0.1'],
  ['127.0.0.2', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.2'],
  ['app.localhost', 'evil.localhost'],
  ['', '127.0.0.1'],
])('%j does not mean %s', (name, host) => {
  expect(meansHost(name, host)).toBe(false);
});
