import { describe, expect, test } from 'vitest';
import { credentialOf } from '../inject/testing/context.ts';
import { scene } from './testing/scene.ts';

const credential = credentialOf({ injection: { kind: 'oauth2-login', tokenUrl: 'https://auth.test/token' } });
const open = () => scene(credential.injection, []);
const token = (text: string) => ({ name: 'access_token', text }) as const;
const text = (index: number): string => `EXAMPLE-access-token-of-the-login-${index}`;

describe('a token that is captured', () => {
  test('has a phantom of its own', () => {
    const { tokens, context, known, events } = open();
    const phantom = tokens.capture(credential, token(text(1))) ?? '';
    const owner = context.registry.lookUp(phantom);
    expect(owner).toMatchObject({ credential: 'main', state: 'good' });
    expect(tokens.captured('main', owner?.role ?? '')).toEqual(token(text(1)));
    expect(phantom).not.toContain('EXAMPLE');
    expect(known()).toContain(text(1));
    expect(events).toEqual([{ kind: 'captured', credential: 'main' }]);
  });

  test('again has the same, and under another name another', () => {
    const { tokens } = open();
    const first = tokens.capture(credential, token(text(1)));
    expect(tokens.capture(credential, token(text(1)))).toBe(first);
    expect(tokens.capture(credential, { name: 'refresh_token', text: text(1) })).not.toBe(first);
    expect(tokens.capture(credential, token(text(2)))).not.toBe(first);
  });

  test('is of its credential alone', () => {
    const { tokens, context } = open();
    const role = context.registry.lookUp(tokens.capture(credential, token(text(1))) ?? '')?.role ?? '';
    expect(tokens.captured('other', role)).toBeUndefined();
    expect(tokens.captured('main', 'secret')).toBeUndefined();
  });

  test('has the requested form', () => {
    const { tokens } = open();
    const [head, claims, signature] = [{ alg: 'HS256' }, { sub: 'EXAMPLE' }, 'x'].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const masked = Buffer.from('{}').toString('base64url');
    expect(
      tokens.capture(credential, {
        ...token(`${head}.${claims}.${signature}`),
        like: `${head}.${masked}.${signature}`,
      }),
    ).toMatch(new RegExp(`^${head}\\.${masked}\\.`, 'u'));
  });

  test('is forgotten, and looked for no more, when there are 256 others', () => {
    const { tokens, context, known } = open();
    const roles = Array.from(
      { length: 257 },
      (_, index) => context.registry.lookUp(tokens.capture(credential, token(text(index))) ?? '')?.role ?? '',
    );
    expect(roles.map((role) => tokens.captured('main', role) !== undefined)).toEqual([
      false,
      ...Array.from({ length: 256 }, () => true),
    ]);
    expect(known()).not.toContain(text(0));
    expect(known()).toContain(text(1));
  });

  test('is looked for as long as it is known by another name', () => {
    const { tokens, known } = open();
    tokens.capture(credential, token(text(0)));
    for (let index = 1; index < 256; index += 1) tokens.capture(credential, token(text(index)));
    tokens.capture(credential, { name: 'id_token', text: text(0) });
    expect(known()).toContain(text(0));
  });

  test('is one of 4096 at most: a box cannot fill the memory of its supervisor', () => {
    const { tokens } = open();
    const phantoms = Array.from({ length: 4097 }, (_, index) => tokens.capture(credential, token(text(index))));
    expect(phantoms.indexOf(undefined)).toBe(4096);
    expect(tokens.capture(credential, token(text(4095)))).toBe(phantoms[4095]);
  });

  test('is gone with the session', () => {
    const { tokens, context } = open();
    const role = context.registry.lookUp(tokens.capture(credential, token(text(1))) ?? '')?.role ?? '';
    tokens.close();
    expect(tokens.captured('main', role)).toBeUndefined();
  });
});
