import { describe, expect, test } from 'vitest';
import { bareHostEnd } from './destination.ts';

function hostOf(text: string): string | undefined {
  const end = bareHostEnd(text, 0, () => true);
  return end === undefined ? undefined : text.slice(0, end);
}

describe('a host with an end that all renderers agree on', () => {
  test.each([
    ['a.example', 'a.example'],
    ['A-1.example', 'A-1.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['a.example.', 'a.example'],
    ['a.example...', 'a.example'],
    ['a.example-', undefined],
    ['a.example-/x', undefined],
    ['a.example:8080', 'a.example:8080'],
    ['a.example:80801/x', 'a.example:80801'],
    ['a.example: x', 'a.example'],
    ['a.example:x', undefined],
    ['a.example:808012', undefined],
  ])('%j: %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  test.each(['/', '?', '#', ']', '[', '|', '^', '<', ' ', '\n', '\u00a0'])(
    'ends before %j, whatever follows',
    (sign) => {
      expect(hostOf(`a.example${sign}x"x`)).toBe('a.example');
    },
  );

  test.each([')', '!', '.', ',', ':', ';', '*', '_', "'", '"', '?', ')**', "').", '")'])(
    'ends before %j at the end, at a blank, a tag or a bracket',
    (signs) => {
      for (const after of ['', ' x', '\nx', '<x', ']x', '|x'])
        expect(hostOf(`a.example${signs}${after}`)).toBe('a.example');
    },
  );

  test.each([')', '!', ',', ':', ';', '*', '_', "'", '"'])('does not end before %j where the word goes on', (sign) => {
    expect(hostOf(`a.example${sign}x`)).toBeUndefined();
  });

  test.each(['`', '(', '@', '\\', '%', '&', '+', '=', '{', '~', '\u00e9', '\0'])('does not end before %j', (sign) => {
    expect(hostOf(`a.example${sign}`)).toBeUndefined();
    expect(hostOf(`a.example${sign} x`)).toBeUndefined();
  });
});

describe('names before an @', () => {
  test.each([
    'a.example:b@evil.test',
    'a.example|b@evil.test',
    'a.example]x@evil.test',
    "a.example'@evil.test",
    `a.example|${'x'.repeat(2000)}@evil.test`,
  ])('%j is not a host', (text) => {
    expect(hostOf(text)).toBeUndefined();
  });

  test.each(['a.example/b@c', 'a.example?b@c', 'a.example#b@c', 'a.example b@c', 'a.example<b@c'])(
    'in %j the @ belongs to another word',
    (text) => {
      expect(hostOf(text)).toBe('a.example');
    },
  );
});

describe('texts that are no host', () => {
  test.each(['', '.', '-', '.example', 'a..example', '...', '/x', '-.-', '!'])('%j', (text) => {
    expect(hostOf(text)).toBeUndefined();
  });

  test('asks about a host with its port', () => {
    const asked: string[] = [];
    const ask = (host: string): boolean => asked.push(host) < 0;
    expect(bareHostEnd('see a.example:81/x', 4, ask)).toBeUndefined();
    expect(bareHostEnd('see a.example. x', 4, ask)).toBeUndefined();
    expect(asked).toEqual(['a.example:81', 'a.example']);
  });

  test('reads at most the 253 characters of the longest name', () => {
    expect(hostOf('a'.repeat(253))).toBe('a'.repeat(253));
    expect(hostOf('a'.repeat(254))).toBeUndefined();
  });

  test('begins at the given offset', () => {
    expect(bareHostEnd('xy a.example z', 3, () => true)).toBe(12);
  });
});
