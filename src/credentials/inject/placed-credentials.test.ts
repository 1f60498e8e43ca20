import { HeldContents } from '../../egress/http/held-content.ts';
import { assert, asyncProperty, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutgoingRequest } from '../../egress/http/message.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { placedCredentials } from './placed-credentials.ts';
import { credentialOf, testContext } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';

type Headers = readonly (readonly [string, string])[];

interface Injected {
  readonly target: string;
  readonly headers: Headers;
}

/** Puts `secret` into a request for the only credential there is. `{phantom}` stands for its phantom. */
async function inject(
  injection: Credential['injection'],
  { target = '/', headers = [] }: Partial<Injected> = {},
  secret = 'EXAMPLE-secret',
): Promise<Injected | string> {
  const context = testContext({ credentials: [credentialOf({ injection })] });
  const filled = (text: string): string => text.replaceAll('{phantom}', context.phantom());
  const asked = requestOf({
    target: filled(target),
    headers: headers.map(([name, value]) => [name, filled(value)] as const),
  });
  const [placed] = placedCredentials(context, connection);
  if (placed === undefined) throw new Error('It is bound to the host.');
  const strips = new Set(placed.strips);
  const stripped: OutgoingRequest = { ...asked, fields: asked.fields.filter(({ key }) => !strips.has(key)) };
  const outgoing = await placed.inject(
    stripped,
    { value: secret, fields: {} },
    { asked, found: [], held: new HeldContents().open() },
  );
  return 'kind' in outgoing
    ? outgoing.refusal.message
    : { target: outgoing.target, headers: outgoing.fields.map(({ name, value }) => [name, value] as const) };
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

describe('a header', () => {
  test.each([
    [
      'bearer',
      { kind: 'bearer' },
      [
        ['authorization', 'token {phantom}'],
        ['Accept', '*/*'],
      ],
      [
        ['Accept', '*/*'],
        ['Authorization', 'Bearer EXAMPLE-secret'],
      ],
    ],
    ['bearer without a phantom', { kind: 'bearer' }, [], [['Authorization', 'Bearer EXAMPLE-secret']]],
    [
      'bearer with copies in every case',
      { kind: 'bearer' },
      [
        ['AUTHORIZATION', 'a'],
        ['Authorization', 'b'],
        ['X-Api-Key', 'c'],
      ],
      [['Authorization', 'Bearer EXAMPLE-secret']],
    ],
    [
      'a header of its own',
      { kind: 'header', name: 'X-Example-Key' },
      [
        ['x-example-key', '{phantom}'],
        ['Authorization', 'Bearer {phantom}'],
      ],
      [['X-Example-Key', 'EXAMPLE-secret']],
    ],
    [
      'a header with a prefix',
      { kind: 'header', name: 'Authorization', prefix: 'token ' },
      [['Authorization', 'token {phantom}']],
      [['Authorization', 'token EXAMPLE-secret']],
    ],
    [
      'basic',
      { kind: 'basic', user: '__token__' },
      [['Authorization', `Basic ${encoded('x:y')}`]],
      [['Authorization', `Basic ${encoded('__token__:EXAMPLE-secret')}`]],
    ],
    [
      'git',
      { kind: 'git', user: 'x-access-token' },
      [],
      [['Authorization', `Basic ${encoded('x-access-token:EXAMPLE-secret')}`]],
    ],
  ] satisfies readonly (readonly [string, Credential['injection'], Headers, Headers])[])(
    '%s',
    async (...[, injection, before, after]) => {
      expect(await inject(injection, { headers: before })).toEqual({ target: '/', headers: after });
    },
  );

  test('basic is in UTF-8', async () => {
    expect(await inject({ kind: 'basic', user: 'üser' }, {}, 'pässword')).toMatchObject({
      headers: [['Authorization', `Basic ${encoded('üser:pässword')}`]],
    });
  });
});

describe('a query', () => {
  const injection = { kind: 'query', parameter: 'key' } as const;

  test.each([
    ['/v1?key={phantom}', '/v1?key=EXAMPLE-secret'],
    ['/v1?a=1&key={phantom}&b=2', '/v1?a=1&key=EXAMPLE-secret&b=2'],
    ['/v1?key={phantom}&key=other&%6Bey=third', '/v1?key=EXAMPLE-secret'],
    ['/v1', '/v1?key=EXAMPLE-secret'],
    ['/v1?a=1', '/v1?a=1&key=EXAMPLE-secret'],
    ['/v1?a=1&keys=2&Key=3', '/v1?a=1&keys=2&Key=3&key=EXAMPLE-secret'],
    ['/v1?key=%zz', '/v1?key=EXAMPLE-secret'],
    ['/v1?a=?key=1', '/v1?a=?key=1&key=EXAMPLE-secret'],
  ])('%s → %s', async (before, after) => {
    expect(await inject(injection, { target: before })).toEqual({ target: after, headers: [] });
  });

  test('any secret is one parameter, as servers read it', () =>
    assert(
      asyncProperty(string({ unit: 'grapheme', minLength: 1 }), async (secret) => {
        const { target } = (await inject(injection, { target: '/v1?a=1&key=x&b=2' }, secret)) as Injected;
        const { pathname, searchParams } = new URL(target, 'https://api.test');
        expect([pathname, ...searchParams]).toEqual(['/v1', ['a', '1'], ['key', secret], ['b', '2']]);
        expect(target).toMatch(/^[!-~]+$/u);
      }),
    ));
});

describe('a path', () => {
  test.each([
    ['/bot{phantom}/send?x=1', 'EXAMPLE:secret', '/botEXAMPLE:secret/send?x=1'],
    ['/{phantom}', 'a b', '/a%20b'],
    ['/services/{phantom}', 'T0/B0/EXAMPLE', '/services/T0/B0/EXAMPLE'],
    ['/services/{phantom}', 'a?b#c', '/services/a%3Fb%23c'],
    ['/without', 'EXAMPLE', '/without'],
  ])('%s with %s → %s', async (before, secret, after) => {
    expect(await inject({ kind: 'path' }, { target: before }, secret)).toEqual({ target: after, headers: [] });
  });

  test('in a query nothing is replaced', async () => {
    expect(await inject({ kind: 'path' }, { target: '/{phantom}?also={phantom}' })).toMatchObject({
      target: expect.stringMatching(/^\/EXAMPLE-secret\?also=(?!EXAMPLE)/u),
    });
  });
});

describe('a cookie', () => {
  const injection = { kind: 'cookie', name: 'session' } as const;

  test.each([
    [[['Cookie', 'session={phantom}']], [['Cookie', 'session=EXAMPLE-secret']]],
    [[['Cookie', 'a=1; session={phantom}; b=2']], [['Cookie', 'a=1; session=EXAMPLE-secret; b=2']]],
    [
      [
        ['cookie', 'session={phantom}'],
        ['Cookie', 'session=other; c=3'],
      ],
      [['cookie', 'session=EXAMPLE-secret; c=3']],
    ],
    [[['Cookie', 'a=1']], [['Cookie', 'a=1; session=EXAMPLE-secret']]],
    [[], [['Cookie', 'session=EXAMPLE-secret']]],
    [[['Cookie', 'sessions=1; Session=2']], [['Cookie', 'sessions=1; Session=2; session=EXAMPLE-secret']]],
  ] satisfies readonly (readonly [Headers, Headers])[])('%j → %j', async (before, after) => {
    expect(await inject(injection, { headers: before })).toEqual({ target: '/', headers: after });
  });

  test.each(['a;b', 'a b', 'a,b', 'a"b', 'a\\b', 'a\nb', 'ä'])('%j is refused', async (secret) => {
    expect(await inject(injection, {}, secret)).toBe(
      'The credential "main" holds a character that a cookie cannot hold.',
    );
  });
});

describe('git', () => {
  test.each([
    ['/owner/repository.git/info/refs?service=git-upload-pack', true],
    ['/owner/repository/git-upload-pack', true],
    ['/owner/repository.git/git-receive-pack', true],
    ['/owner/repository.git/info/lfs/objects/batch', true],
    ['/owner/repository.git/info/lfs/objects/0123abc', true],
    ['/owner/repository.git/info/lfs/locks', true],
    ['/owner/repository.git/info/lfs/locks/verify', true],
    ['/owner/repository.git/info/lfs/locks/1/unlock', true],
    [`/owner/repository.git/gitlab-lfs/objects/${'0a'.repeat(32)}`, true],
    [`/owner/repository.git/gitlab-lfs/objects/${'0a'.repeat(32)}/12`, true],
    ['/owner/repository.git/gitlab-lfs/objects/..', false],
    ['/owner/repository', false],
    ['/login?return_to=/owner/repository.git/info/refs', false],
    ['/owner/repository.git/info/refs/more', false],
    ['/owner/repository/issues?q=git-upload-pack', false],
    ['/owner/git-upload-packs', false],
  ])('%s: %s', (target, isGits) => {
    const context = testContext({ credentials: [credentialOf({ injection: { kind: 'git', user: 'git' } })] });
    expect(placedCredentials(context, connection).map(({ isFor }) => isFor(requestOf({ target })))).toEqual([isGits]);
  });
});
