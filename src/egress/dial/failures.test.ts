import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { givenUp, tooSlow, unreachable } from './failures.ts';

const destination = { host: 'a.test', port: 443 };

describe('unreachable', () => {
  test.each([
    ['ECONNREFUSED', 'unreachable', 'nothing listens there'],
    ['ECONNRESET', 'unreachable', 'it reset the connection'],
    ['EHOSTUNREACH', 'unreachable', 'no route leads there'],
    ['ENETUNREACH', 'unreachable', 'the host has no network of that kind'],
    ['EADDRNOTAVAIL', 'unreachable', 'the host has no address of that kind'],
    ['EACCES', 'unreachable', 'a firewall of the host forbids it'],
    ['EMFILE', 'unreachable', 'the host has no file descriptors left'],
    ['ETIMEDOUT', 'upstream-timeout', 'it did not answer'],
    ['ESOMETHING', 'unreachable', 'it failed'],
  ])('%s', (code, refusal, text) => {
    const { refusal: refused } = unreachable(destination, [{ address: '1.1.1.1', code }]);
    expect(refused.code).toBe(refusal);
    expect(refused.message).toBe(`a.test port 443 cannot be reached: 1.1.1.1: ${text} (${code})`);
    expect(refused.remedy.length).toBeGreaterThan(10);
  });

  test('an address is not named twice', () => {
    expect(unreachable({ host: '1.1.1.1', port: 1 }, [{ address: '1.1.1.1', code: 'ECONNREFUSED' }]).refusal.message).toBe('1.1.1.1 port 1 cannot be reached: nothing listens there (ECONNREFUSED)');
  });

  test('one that was refused among many that were silent is unreachable', () => {
    expect(unreachable(destination, [{ address: '1.1.1.1', code: 'ETIMEDOUT' }, { address: '1.1.1.2', code: 'ECONNREFUSED' }]).refusal.code).toBe('unreachable');
  });

  test('is one line of bounded length, whatever failed', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ address: fc.ipV6(), code: fc.string({ unit: 'binary', maxLength: 20 }) }), { maxLength: 20 }), (failures) => {
        const { message } = unreachable(destination, failures).refusal;
        expect(message.length).toBeLessThan(500);
        expect(message).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

test('the others say what happened', () => {
  expect(tooSlow(destination, 300).refusal).toMatchObject({ code: 'upstream-timeout', message: 'a.test port 443 did not answer within 300 ms' });
  expect(givenUp(destination).refusal).toMatchObject({ code: 'unreachable', message: 'the connection to a.test port 443 was given up before it stood' });
});
