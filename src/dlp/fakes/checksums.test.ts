import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import { isCardNumber, isIban, isPayable } from './fake-template.ts';

describe('a card number', () => {
  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '378282246310005',
    '5555555555554444',
    '4222222222222',
    '6304000000000000000',
  ])('%s is one', (text) => {
    expect([isCardNumber(text), isPayable(text)]).toEqual([true, true]);
  });

  test.each([
    '4111111111111112',
    '4111 1111 1111  1111',
    '411111111111',
    ' 4111111111111111',
    '4111111111111111 ',
    'x4111111111111111',
    '00000000000000000000',
    '',
  ])('%j is not one', (text) => {
    expect(isCardNumber(text)).toBe(false);
  });

  test('has one last digit of ten', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{12,18}$/u), (text) => {
        expect([...'0123456789'].filter((digit) => isCardNumber(text + digit))).toHaveLength(1);
      }),
    );
  });
});

describe('an IBAN', () => {
  test.each([
    'GB82WEST12345698765432',
    'GB82 WEST 1234 5698 7654 32',
    'DE89370400440532013000',
    'NO9386011117947',
    'FR1420041010050500013M02606',
    'MT84MALT011000012345MTLCAST001S',
  ])('%s is one', (text) => {
    expect([isIban(text), isPayable(text)]).toEqual([true, true]);
  });

  test.each([
    'GB82WEST12345698765433',
    'gb82west12345698765432',
    'GB82',
    'GB82WEST12345698765432 ',
    'G182WEST12345698765432',
    '',
  ])('%j is not one', (text) => {
    expect(isIban(text)).toBe(false);
  });

  test('has two check digits of a hundred, or three where 97 fits twice', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{2}$/u), fc.stringMatching(/^[A-Z\d]{11,30}$/u), (country, account) => {
        const good = Array.from(
          { length: 100 },
          (_, check) => `${country}${String(check).padStart(2, '0')}${account}`,
        ).filter(isIban);
        expect([1, 2]).toContain(good.length);
      }),
      { numRuns: rounds(30) },
    );
  });
});

test('costly text takes linear time', () => {
  for (const text of [
    '1'.repeat(1 << 20),
    '1 '.repeat(1 << 19),
    `GB82${'A'.repeat(1 << 20)}`,
    `GB82${' A'.repeat(1 << 19)}`,
  ])
    expect(isPayable(text)).toBe(false);
});
