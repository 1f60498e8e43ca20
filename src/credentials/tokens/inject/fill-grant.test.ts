import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type GrantSlots, replaceParameter } from './fill-grant.ts';

const slots: GrantSlots = new Map([
  ['refresh_token', 'refresh_token'],
  ['password', 'password'],
]);
const real = (parameter: string, value: string): string | undefined =>
  value === 'PHANTOM' ? `real ${parameter}` : undefined;

describe('a token request gets the real one in the one parameter of its grant', () => {
  test.each([
    [
      'form',
      'grant_type=refresh_token&refresh_token=PHANTOM',
      'grant_type=refresh_token&refresh_token=real+refresh_token',
    ],
    [
      'form',
      'scope=a+b&refresh%5Ftoken=PHANTOM&grant_type=refresh%5Ftoken&x=%7e',
      'scope=a+b&refresh_token=real+refresh_token&grant_type=refresh%5Ftoken&x=%7e',
    ],
    [
      'form',
      'grant_type=password&username=me&password=PHANTOM',
      'grant_type=password&username=me&password=real+password',
    ],
    [
      'json',
      '{"grant_type": "refresh_token", "refresh_token": "PHANTOM", "n": 1.0}',
      '{"grant_type": "refresh_token", "refresh_token": "real refresh_token", "n": 1.0}',
    ],
    [
      'json',
      '{"grant_type":"refresh_token","refresh_token":"\\u0050HANTOM"}',
      '{"grant_type":"refresh_token","refresh_token":"real refresh_token"}',
    ],
  ] as const)('%s: %s', (type, text, wanted) => {
    expect(replaceParameter({ text, type }, slots, real)).toBe(wanted);
  });

  test.each([
    ['form', 'refresh_token=PHANTOM'],
    ['form', 'grant_type=authorization_code&refresh_token=PHANTOM'],
    ['form', 'grant_type=refresh_token&password=PHANTOM'],
    ['form', 'grant_type=password&refresh_token=PHANTOM'],
    ['form', 'grant_type=refresh_token&grant_type=refresh_token&refresh_token=PHANTOM'],
    ['form', 'grant_type=refresh_token&refresh_token=PHANTOM&refresh_token=PHANTOM'],
    ['form', 'grant_type=refresh_token&refresh_token=PHANTOM&refresh_token='],
    ['form', 'grant_type=refresh_token&refresh_token=xPHANTOM'],
    ['form', 'grant_type=__proto__&refresh_token=PHANTOM'],
    ['form', '{"grant_type":"refresh_token","refresh_token":"PHANTOM"}'],
    ['form', ''],
    ['json', 'grant_type=refresh_token&refresh_token=PHANTOM'],
    ['json', '{"grant_type":"refresh_token","refresh_token":["PHANTOM"]}'],
    ['json', '{"grant_type":"refresh_token","refresh_token":null}'],
    ['json', '{"grant_type":"refresh_token","refresh_token":"PHANTOM","x":{"refresh_token":"PHANTOM"}}'],
    ['json', '{"grant_type":["refresh_token"],"refresh_token":"PHANTOM"}'],
    ['json', '{"grant_type":"refresh_token","refresh_token":"PHANTOM"'],
  ] as const)('%s stays as it is: %s', (type, text) => {
    expect(replaceParameter({ text, type }, slots, real)).toBe(text);
  });

  test('any real token reaches the server, and every other field unchanged', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.array(
          fc.tuple(fc.string(), fc.string()).filter(([name]) => name !== 'grant_type' && name !== 'refresh_token'),
        ),
        (secret, others) => {
          const fields: readonly (readonly [string, string])[] = [
            ['grant_type', 'refresh_token'],
            ...others,
            ['refresh_token', 'PHANTOM'],
          ];
          const form = replaceParameter(
            {
              text: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
              type: 'form',
            },
            slots,
            () => secret,
          );
          expect([...new URLSearchParams(form)]).toEqual([
            ...new URLSearchParams(
              fields.map(([name, value]): [string, string] => [name, name === 'refresh_token' ? secret : value]),
            ),
          ]);
          expect(form).toMatch(/^[!-~]*$/u);
          const object = Object.fromEntries(fields);
          const json = replaceParameter(
            { text: Buffer.from(JSON.stringify(object)).toString('latin1'), type: 'json' },
            slots,
            () => secret,
          );
          expect(JSON.parse(Buffer.from(json, 'latin1').toString())).toEqual({ ...object, refresh_token: secret });
        },
      ),
    ));

  test('hostile text throws nothing', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('form', 'json'), (text, type) => {
        expect(replaceParameter({ text, type }, slots, () => undefined)).toBe(text);
      }),
    ));
});
