import { expect, test } from 'vitest';
import { parseLogin, writeHello } from './login-command.ts';

const parse = (...args: readonly string[]) => parseLogin(args.map((arg) => Buffer.from(arg)));

test.each([
  [['AUTH', 'p'], { name: 'AUTH', proof: { password: 'p' } }],
  [['auth', 'u', 'p'], { name: 'AUTH', proof: { user: 'u', password: 'p' } }],
  [['HELLO'], { name: 'HELLO', hello: {} }],
  [['HELLO', '3'], { name: 'HELLO', hello: { version: '3' } }],
  [['HELLO', '2', 'auth', 'u', 'p'], { name: 'HELLO', proof: { user: 'u', password: 'p' }, hello: { version: '2' } }],
  [
    ['HELLO', '3', 'SETNAME', 'me', 'AUTH', 'u', 'p'],
    { name: 'HELLO', proof: { user: 'u', password: 'p' }, hello: { version: '3', clientName: Buffer.from('me') } },
  ],
] as const)('%j', (args, login) => {
  expect(parse(...args)).toStrictEqual({ kind: 'login', ...login });
});

test.each([
  [['AUTH'], 'ERR'],
  [['AUTH', 'a', 'b', 'c'], 'ERR'],
  [['HELLO', '4'], 'NOPROTO'],
  [['HELLO', '03'], 'NOPROTO'],
  [['HELLO', 'AUTH', 'u', 'p'], 'NOPROTO'],
  [['HELLO', '3', 'AUTH', 'u'], 'ERR'],
  [['HELLO', '3', 'SETNAME'], 'ERR'],
  [['HELLO', '3', 'OTHER', 'x'], 'ERR'],
] as const)('%j is a problem of the kind %s', (args, code) => {
  expect(parse(...args)).toMatchObject({ kind: 'problem', code });
});

test.each([[['GET', 'a']], [[]], [['AUTHX', 'p']]])('%j is not a login', (args) => {
  expect(parse(...args)).toBeUndefined();
});

test('the rest of a HELLO holds no login', () => {
  expect(writeHello({ version: '3', clientName: Buffer.from('me') }).toString()).toBe(
    '*4\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$7\r\nSETNAME\r\n$2\r\nme\r\n',
  );
});
