import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScramVerifier } from '../../types.ts';
import { ProtocolViolation } from '../protocol/walker.ts';
import { saslPrepared, startScram } from './scram-client.ts';
import { answerScram, attributes, fromBase64, mechanisms, type ScramServerOptions } from './scram.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

function verifierOf(password: string, salt = Buffer.from('salt of the test'), iterations = 4096): ScramVerifier {
  const salted = pbkdf2Sync(saslPrepared(password), salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  return {
    salt,
    iterations,
    storedKey: createHash('sha256').update(keyed('Client Key')).digest(),
    serverKey: keyed('Server Key'),
  };
}

function challenged(
  mechanism: string,
  first: string,
  options: ScramServerOptions,
): Extract<ReturnType<typeof answerScram>, { kind: 'challenge' }> {
  const answer = answerScram(mechanism, first, options);
  if (answer.kind !== 'challenge') throw new Error(answer.reason);
  return answer;
}

test('the server’s half gives the messages of RFC 7677 §3', () => {
  const verifier = verifierOf('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'));
  const challenge = challenged(mechanisms.plain, 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO', {
    verifier,
    channel: undefined,
    nonce: '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
  });
  expect(challenge.message).toBe(
    'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  );
  const final =
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
  expect(challenge.answer(final)).toEqual({ kind: 'proved', final: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=' });
});

describe('both halves', () => {
  const channel = Buffer.from('digest of a certificate');

  test('agree on any password, and only on the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 24 }),
        fc.string({ unit: 'grapheme', maxLength: 24 }),
        async (password, other) => {
          const client = startScram(other, { offered: [mechanisms.plain], channel: undefined, transport: 'tls' });
          const challenge = challenged(mechanisms.plain, client?.first ?? '', {
            verifier: verifierOf(password, undefined, 2),
            channel: undefined,
          });
          const verdict = challenge.answer((await client?.answer(challenge.message)) ?? '');
          expect(verdict.kind).toBe(saslPrepared(password) === saslPrepared(other) ? 'proved' : 'refused');
          if (verdict.kind === 'proved') expect(() => client?.verify(verdict.final)).not.toThrow();
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test('are bound to the channel where both have one, and refuse another', async () => {
    const verifier = verifierOf('a password');
    const client = startScram('a password', {
      offered: [mechanisms.plain, mechanisms.bound],
      channel,
      transport: 'tls',
    });
    expect(client?.mechanism).toBe(mechanisms.bound);
    for (const [shown, kind] of [
      [channel, 'proved'],
      [Buffer.from('of someone between'), 'malformed'],
    ] as const) {
      const challenge = challenged(mechanisms.bound, client?.first ?? '', { verifier, channel: shown });
      expect(challenge.answer((await client?.answer(challenge.message)) ?? '').kind).toBe(kind);
    }
  });

  test('a client that was not offered the binding says so, and a server that had offered it knows that it was lied to', () => {
    const client = startScram('a password', { offered: [mechanisms.plain], channel, transport: 'tls' });
    expect(client?.first.startsWith('y,,')).toBe(true);
    expect(
      answerScram(mechanisms.plain, client?.first ?? '', { verifier: verifierOf('a password'), channel }),
    ).toMatchObject({ kind: 'malformed' });
    expect(
      answerScram(mechanisms.plain, client?.first ?? '', { verifier: verifierOf('a password'), channel: undefined }),
    ).toMatchObject({ kind: 'challenge' });
  });

  test('without a phantom the conversation runs to its end, and fails', async () => {
    const client = startScram('a password', { offered: [mechanisms.plain], channel: undefined, transport: 'tls' });
    const challenge = challenged(mechanisms.plain, client?.first ?? '', { verifier: undefined, channel: undefined });
    expect(challenge.message).toMatch(/,i=4096$/u);
    expect(challenge.answer((await client?.answer(challenge.message)) ?? '')).toEqual({ kind: 'refused' });
  });
});

describe('the server’s half refuses', () => {
  test.each([
    ['another mechanism', 'SCRAM-SHA-1', 'n,,n=,r=abc'],
    ['a binding without a channel', mechanisms.bound, 'p=tls-server-end-point,,n=,r=abc'],
    ['a binding of another kind', mechanisms.plain, 'p=tls-unique,,n=,r=abc'],
    ['a binding by the plain mechanism', mechanisms.plain, 'p=tls-server-end-point,,n=,r=abc'],
    ['an authorisation identity', mechanisms.plain, 'n,a=other,n=,r=abc'],
    ['an extension', mechanisms.plain, 'n,,m=x,n=,r=abc'],
    ['an empty nonce', mechanisms.plain, 'n,,n=,r='],
    ['a nonce that is not printable', mechanisms.plain, 'n,,n=,r=a b'],
    ['something more', mechanisms.plain, 'n,,n=,r=abc,x=1'],
    ['nothing', mechanisms.plain, ''],
  ])('%s in the first message', (_, mechanism, first) => {
    expect(answerScram(mechanism, first, { verifier: verifierOf('x'), channel: undefined })).toMatchObject({
      kind: 'malformed',
    });
  });

  const proof = Buffer.alloc(32).toString('base64');
  test.each([
    ['another nonce', `c=biws,r=abd1,p=${proof}`],
    ['a nonce that was cut', `c=biws,r=abc,p=${proof}`],
    ['another header', `c=eSws,r=abc1,p=${proof}`],
    ['a short proof', 'c=biws,r=abc1,p=AAAA'],
    ['a proof in another base64', `c=biws,r=abc1,p=${proof.slice(0, -1)}`],
    ['no proof', 'c=biws,r=abc1'],
    ['something between', `c=biws,r=abc1,x=1,p=${proof}`],
  ])('%s in the last one', (_, final) => {
    const challenge = challenged(mechanisms.plain, 'n,,n=,r=abc', {
      verifier: verifierOf('x'),
      channel: undefined,
      nonce: '1',
    });
    expect(challenge.answer(final)).toMatchObject({ kind: 'malformed' });
  });

  test('any other bytes, without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (first, final) => {
        expect(
          answerScram(mechanisms.plain, first, { verifier: verifierOf('x', undefined, 1), channel: undefined }).kind,
        ).toBe('malformed');
        const challenge = challenged(mechanisms.plain, 'n,,n=,r=abc', {
          verifier: verifierOf('x', undefined, 1),
          channel: undefined,
        });
        expect(challenge.answer(final).kind).toBe('malformed');
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe('the client’s half', () => {
  const client = (transport: 'tls' | 'plain' = 'tls'): NonNullable<ReturnType<typeof startScram>> => {
    const started = startScram('a password', {
      offered: [mechanisms.plain],
      channel: undefined,
      transport,
      nonce: 'ours',
    });
    if (started === undefined) throw new Error('it was offered');
    return started;
  };

  test('speaks nothing else', () => {
    expect(
      startScram('a password', { offered: ['SCRAM-SHA-1', 'PLAIN', ''], channel: undefined, transport: 'tls' }),
    ).toBeUndefined();
    expect(
      startScram('a password', { offered: [mechanisms.bound], channel: undefined, transport: 'tls' }),
    ).toBeUndefined();
  });

  test.each([
    ['a nonce that does not continue ours', 'r=theirs,s=c2FsdA==,i=4096'],
    ['a nonce that adds nothing', 'r=ours,s=c2FsdA==,i=4096'],
    ['no salt', 'r=ours1,s=,i=4096'],
    ['a salt that is no base64', 'r=ours1,s=c2Fsd,i=4096'],
    ['no rounds', 'r=ours1,s=c2FsdA==,i=0'],
    ['rounds that are no number', 'r=ours1,s=c2FsdA==,i=0x10'],
    ['rounds that take an hour', 'r=ours1,s=c2FsdA==,i=1000001'],
    ['an error', 'e=other-error'],
    ['nothing', ''],
  ])('refuses a challenge with %s', async (_, challenge) => {
    await expect(client().answer(challenge)).rejects.toThrow(ProtocolViolation);
  });

  test('does few rounds only for a server that has proved its name', async () => {
    await expect(client('tls').answer('r=ours1,s=c2FsdA==,i=1')).resolves.toContain('c=biws,r=ours1,p=');
    await expect(client('plain').answer('r=ours1,s=c2FsdA==,i=4095')).rejects.toThrow('4095 rounds');
    await expect(client('plain').answer('r=ours1,s=c2FsdA==,i=4096')).resolves.toContain('p=');
  });

  test.each(['v=', 'v=AAAA', `v=${Buffer.alloc(32).toString('base64')}`, 'e=invalid-proof', ''])(
    'does not believe %j',
    async (final) => {
      const started = client();
      expect(() => started.verify(final)).toThrow(ProtocolViolation);
      await started.answer('r=ours1,s=c2FsdA==,i=1');
      expect(() => started.verify(final)).toThrow('did not prove');
    },
  );
});

test('attributes are read in their order, all of them and no other', () => {
  expect(attributes('a=1,b=2=3', ['a', 'b'])).toEqual({ a: '1', b: '2=3' });
  for (const text of ['b=2,a=1', 'a=1', 'a=1,b=2,c=3', 'a,b', '']) expect(attributes(text, ['a', 'b'])).toBeUndefined();
});

test('base64 has one form', () => {
  expect(fromBase64('c2FsdA==')?.toString()).toBe('salt');
  for (const text of ['c2FsdA', 'c2FsdA= =', 'c2FsdB==', 'c2Fs-_==', ' c2FsdA=='])
    expect(fromBase64(text)).toBeUndefined();
});

test.each([
  ['ASCII, as it is', 'pass word', 'pass word'],
  ['a space of another kind', 'a\u00a0b', 'a b'],
  ['a soft hyphen, dropped', 'I\u00adX', 'IX'],
  ['a ligature, taken apart', 'ﬁ', 'fi'],
  ['a control character: nothing is prepared', 'é\u0007\u2168', 'é\u0007\u2168'],
  ['a private character: nothing is prepared', 'ﬁ\ue000', 'ﬁ\ue000'],
  ['nothing left of it: as it is', '\u00ad', '\u00ad'],
])('SASLprep: %s', (_, password, prepared) => {
  expect(saslPrepared(password)).toBe(prepared);
});
