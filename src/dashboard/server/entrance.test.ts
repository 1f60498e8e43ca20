import { expect, test } from 'vitest';
import { Entrance } from './entrance.ts';

test('a token is good once', () => {
  const entrance = new Entrance();
  const token = entrance.mint();
  const pass = entrance.exchange(token);
  expect(pass).toBeDefined();
  expect(entrance.exchange(token)).toBeUndefined();
  expect(pass === undefined ? false : entrance.admits(pass)).toBe(true);
});

test('a new token makes the one before worthless, and no pass', () => {
  const entrance = new Entrance();
  const first = entrance.mint();
  const second = entrance.mint();
  expect(entrance.exchange(first)).toBeUndefined();
  expect(entrance.exchange(second)).toBeDefined();
});

test('nothing is accepted before there is a token', () => {
  const entrance = new Entrance();
  for (const token of ['', 'undefined', '0'.repeat(64)]) expect(entrance.exchange(token)).toBeUndefined();
  expect(entrance.admits({ cookie: '', key: '' })).toBe(false);
});

test('a wrong token leaves the right one valid', () => {
  const entrance = new Entrance();
  const token = entrance.mint();
  for (const wrong of ['', token.slice(1), `${token}0`, token.toUpperCase(), ` ${token}`])
    expect(entrance.exchange(wrong)).toBeUndefined();
  expect(entrance.exchange(token)).toBeDefined();
});

test('cookie and key of one pass belong together', () => {
  const entrance = new Entrance();
  const [one, other] = [entrance.exchange(entrance.mint()), entrance.exchange(entrance.mint())];
  if (one === undefined || other === undefined) throw new Error('no pass');
  expect(entrance.admits(one)).toBe(true);
  expect(entrance.admits(other)).toBe(true);
  expect(entrance.admits({ cookie: one.cookie, key: other.key })).toBe(false);
  expect(entrance.admits({ cookie: one.cookie, key: '' })).toBe(false);
  expect(entrance.admits({ cookie: one.key, key: one.cookie })).toBe(false);
});

test('tokens and passes have 256 bits, and are never the same', () => {
  const entrance = new Entrance();
  const secrets = Array.from({ length: 50 }, () => {
    const token = entrance.mint();
    const pass = entrance.exchange(token);
    return [token, pass?.cookie ?? '', pass?.key ?? ''];
  }).flat();
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/u);
  expect(new Set(secrets).size).toBe(secrets.length);
});

test('of very many pages, the first are closed', () => {
  const entrance = new Entrance();
  const passes = Array.from({ length: 20 }, () => entrance.exchange(entrance.mint()));
  const admitted = passes.map((pass) => pass !== undefined && entrance.admits(pass));
  expect(admitted.filter(Boolean)).toHaveLength(16);
  expect(admitted.at(-1)).toBe(true);
});
