import { describe, expect, test } from 'vitest';
import { hider, isAllowed } from './session-gateway.ts';
import { key } from './testing/gateway.ts';

describe('a URL in an answer', () => {
  const asked: unknown[] = [];
  const authority = { decide: (request: unknown) => (asked.push(request), { decision: 'allow' }) } as unknown as Parameters<typeof isAllowed>[1];

  test.each(['', 'x', '//', 'javascript:alert(1)', 'data:text/html,x', 'https://', 'https://[', 'https://a b/', 'ftp://example.com/', 'file:///etc/passwd', 'blob:https://example.com/1', '\ud800', 'http://%00/', 'https://example.com:99999/'])('%j leads nowhere, whatever the policy allows', (url) => {
    asked.length = 0;
    expect([isAllowed(url, authority), asked]).toEqual([false, []]);
  });

  test.each([['https://example.com/x', 'example.com', 443], ['http://example.com/', 'example.com', 80], ['https://[::1]:8443/', '::1', 8443]])('%s is asked about', (url, host, port) => {
    asked.length = 0;
    expect(isAllowed(url, authority)).toBe(true);
    expect(asked).toEqual([{ kind: 'connect', host, port, protocol: 'tcp' }]);
  });

  test.each([['allow', true], ['audit', true], ['ask', false], ['deny', false], ['redirect', false]])('that is to %s: %s', (decision, expected) => {
    expect(isAllowed('https://example.com/', { decide: () => ({ decision }) } as unknown as typeof authority)).toBe(expected);
  });
});

describe('what is hidden', () => {
  test('are keys, and secrets that come later', () => {
    const secrets: string[] = [];
    const hide = hider(() => [...secrets]);
    expect(hide(`a ${key} b correct-horse-battery`)).toBe('a [redacted:github-token] b correct-horse-battery');
    secrets.push('correct-horse-battery');
    expect(hide('a correct-horse-battery b')).toBe('a [redacted:session-secret] b');
    secrets.splice(0, 1, 'incorrect-horse-batter');
    expect(hide('a correct-horse-battery b')).toBe('a correct-horse-battery b');
  });
  test('is nothing else', () => expect(hide0('plain \ud800 text')).toBe('plain \ud800 text'));
});

const hide0 = hider(() => []);
