import { describe, expect, test } from 'vitest';
import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import type { OutgoingRequest } from '../../egress/http/message.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { judgeInjection, type InjectionJudgement } from './judge.ts';
import { placedCredentials } from './placed-credentials.ts';
import { findPhantoms, partsOf } from './request-parts.ts';
import { credentialOf, testContext, type TestContext } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

interface Case {
  readonly credentials?: readonly Credential[];
  readonly connection?: InterceptedConnection;
  readonly before?: (context: TestContext) => void;
  readonly body?: string;
}

const bearer = credentialOf({ injection: { kind: 'bearer' } });

/** The judgement of a request that is made of the phantoms of a context. */
function judged(
  make: (phantom: (name?: string) => string) => OutgoingRequest,
  { credentials = [bearer], connection: here = connection, before, body }: Case = {},
): InjectionJudgement {
  const context = testContext({ credentials });
  const request = make(context.phantom);
  before?.(context);
  const seen = findPhantoms(partsOf(request, body === undefined ? undefined : Buffer.from(body)), context.registry);
  return judgeInjection({ request, connection: here, here: placedCredentials(context, here), seen });
}

function brief(judgement: InjectionJudgement): readonly string[] {
  if (judgement.kind === 'pass')
    return [
      'pass',
      ...judgement.uses.map(({ placed, found }) =>
        [placed.credential.name, ...found.map(({ place }) => place.kind)].join(' '),
      ),
    ];
  return [
    judgement.refusal.code,
    ...judgement.alarms.map(({ kind, credential, place }) => `${kind} ${credential} ${place}`),
  ];
}

describe('a phantom in its place is used', () => {
  test.each([
    [
      'a bearer',
      { kind: 'bearer' },
      (phantom: string) => requestOf({ headers: [['Authorization', `Bearer ${phantom}`]] }),
      'header',
    ],
    [
      'a token of another scheme',
      { kind: 'bearer' },
      (phantom: string) => requestOf({ headers: [['authorization', `token ${phantom}`]] }),
      'header',
    ],
    [
      'a password of Basic',
      { kind: 'basic', user: 'u' },
      (phantom: string) => requestOf({ headers: [['Authorization', basic(`x:${phantom}`)]] }),
      'header',
    ],
    [
      'a user of Basic',
      { kind: 'basic', user: 'u' },
      (phantom: string) => requestOf({ headers: [['Authorization', basic(`${phantom}:`)]] }),
      'header',
    ],
    [
      'a header of its own',
      { kind: 'header', name: 'X-Api-Key' },
      (phantom: string) => requestOf({ headers: [['x-api-key', phantom]] }),
      'header',
    ],
    [
      'the same as a bearer',
      { kind: 'header', name: 'X-Api-Key' },
      (phantom: string) => requestOf({ headers: [['Authorization', `Bearer ${phantom}`]] }),
      'header',
    ],
    [
      'a parameter',
      { kind: 'query', parameter: 'key' },
      (phantom: string) => requestOf({ target: `/v1?a=1&key=${phantom}` }),
      'query',
    ],
    [
      'a parameter whose name is escaped',
      { kind: 'query', parameter: 'key' },
      (phantom: string) => requestOf({ target: `/v1?%6bey=${phantom}` }),
      'query',
    ],
    ['the path', { kind: 'path' }, (phantom: string) => requestOf({ target: `/bot${phantom}/send` }), 'path'],
    [
      'a cookie',
      { kind: 'cookie', name: 'session' },
      (phantom: string) => requestOf({ headers: [['Cookie', `a=1; session=${phantom}`]] }),
      'cookie',
    ],
    [
      'git',
      { kind: 'git', user: 'git' },
      (phantom: string) =>
        requestOf({ target: '/a.git/info/refs', headers: [['Authorization', basic(`git:${phantom}`)]] }),
      'header',
    ],
  ] satisfies readonly (readonly [string, Credential['injection'], (phantom: string) => OutgoingRequest, string])[])(
    '%s',
    (...[, injection, make, place]) => {
      expect(brief(judged((phantom) => make(phantom()), { credentials: [credentialOf({ injection })] }))).toEqual([
        'pass',
        `main ${place}`,
      ]);
    },
  );
});

describe('a phantom in another place is misplaced', () => {
  test.each([
    ['the header x-other', (phantom: string) => requestOf({ headers: [['X-Other', phantom]] })],
    ['the header x-other', (phantom: string) => requestOf({ headers: [['X-Other', basic(`a:${phantom}`)]] })],
    [
      'the header referer',
      (phantom: string) => requestOf({ headers: [['Referer', `https://api.test/?q=${phantom}`]] }),
    ],
    ['the query', (phantom: string) => requestOf({ target: `/?q=${phantom}` })],
    ['the query', (phantom: string) => requestOf({ target: `/?${phantom}=1` })],
    ['the query', (phantom: string) => requestOf({ target: `/?q=${phantom.replace('p', '%70')}` })],
    ['the path', (phantom: string) => requestOf({ target: `/${phantom}/` })],
    ['the path', (phantom: string) => requestOf({ target: `/${phantom.replaceAll('h', '%68')}/` })],
    ['a cookie', (phantom: string) => requestOf({ headers: [['Cookie', `a=${phantom}`]] })],
    ['the name of a header', (phantom: string) => requestOf({ headers: [[phantom, '1']] })],
    ['the method', (phantom: string) => requestOf({ method: phantom })],
    ['a header', (phantom: string) => requestOf({ headers: [[`x_${'y'.repeat(40)}`, phantom]] })],
  ] satisfies readonly (readonly [string, (phantom: string) => OutgoingRequest])[])('%s', (place, make) => {
    const judgement = judged((phantom) => make(phantom()));
    expect(brief(judgement)).toContain(`phantom-misplaced main ${place}`);
    expect(judgement).toMatchObject({ kind: 'refused', refusal: { code: 'phantom-misused' } });
  });

  test('even beside one in its place', () => {
    expect(
      brief(
        judged((phantom) =>
          requestOf({ target: `/?q=${phantom()}`, headers: [['Authorization', `Bearer ${phantom()}`]] }),
        ),
      ),
    ).toEqual(['phantom-misused', 'phantom-misplaced main the query']);
  });

  test('each wrong place raises an alarm', () => {
    const judgement = judged((phantom) =>
      requestOf({
        target: `/${phantom()}?q=${phantom()}`,
        headers: [
          ['X-A', phantom()],
          ['X-B', phantom()],
        ],
      }),
    );
    expect(brief(judgement)).toEqual([
      'phantom-misused',
      'phantom-misplaced main the path',
      'phantom-misplaced main the query',
      'phantom-misplaced main the header x-a',
      'phantom-misplaced main the header x-b',
    ]);
  });

  test('content that is read as a whole is a place of those only whose injector says so', () => {
    const context = testContext({ credentials: [bearer] });
    const request = requestOf({ method: 'POST' });
    const seen = findPhantoms(partsOf(request, Buffer.from(`refresh_token=${context.phantom()}`)), context.registry);
    expect(brief(judgeInjection({ request, connection, here: placedCredentials(context, connection), seen }))).toEqual([
      'phantom-misused',
      'phantom-misplaced main the body',
    ]);
  });

  test('no message contains the phantom', () => {
    let phantom = '';
    const judgement = judged((name) => {
      phantom = name();
      return requestOf({
        method: phantom,
        target: `/${phantom}?${phantom}=${phantom}`,
        headers: [
          [phantom, phantom],
          ['Cookie', `${phantom}=${phantom}`],
        ],
      });
    });
    expect(JSON.stringify(judgement).toLowerCase()).not.toContain(phantom.toLowerCase());
  });
});

describe('a phantom is unbound', () => {
  const sent = (phantom: (name?: string) => string): OutgoingRequest =>
    requestOf({ headers: [['Authorization', `Bearer ${phantom()}`]] });
  const with_ = (binding: Partial<Credential['binding']>): readonly Credential[] => [
    credentialOf({ injection: { kind: 'bearer' }, binding }),
  ];

  test.each([
    ['at another host', { connection: { ...connection, destination: { host: 'other.test', port: 443 } } }],
    ['at another port', { connection: { ...connection, destination: { host: 'api.test', port: 8443 } } }],
    ['in the clear at port 80', { connection: { scheme: 'http', destination: { host: 'api.test', port: 80 } } }],
    ['where a rule redirects its host', { connection: { ...connection, redirected: { host: 'api.test', port: 443 } } }],
    ['with another method', { credentials: with_({ methods: ['POST'] }) }],
    ['at another path', { credentials: with_({ paths: ['/v1/**'] }) }],
  ] satisfies readonly (readonly [string, Case])[])('%s', (_, about) => {
    expect(brief(judged(sent, about))).toEqual(['phantom-misused', 'phantom-unbound main the header authorization']);
  });

  // Attack: the server does what `X-HTTP-Method-Override` or `_method` says.
  test.each([
    { headers: [['X-HTTP-Method-Override', 'DELETE']], target: '/' },
    { headers: [['X-Original-URL', '/v2']], target: '/' },
    { headers: [], target: '/?_method=delete' },
  ] satisfies readonly { headers: [string, string][]; target: string }[])(
    'where the server may do something else: %j',
    ({ headers, target }) => {
      const also = (phantom: (name?: string) => string): OutgoingRequest =>
        requestOf({ target, headers: [['Authorization', `Bearer ${phantom()}`], ...headers] });
      expect(brief(judged(also, { credentials: with_({ methods: ['GET'], paths: ['/'] }) }))).toEqual([
        'phantom-misused',
        'phantom-unbound main the header authorization',
      ]);
    },
  );

  const toModels = { credentials: with_({ paths: ['/v1/models'] }) };

  test.each([
    '/v1/..%2fadmin',
    '/v1/a%2f..%2fb',
    '/v1;x/../admin',
    '/V1/models',
    '//v1/admin',
    '//models',
    '/v1%2fmodels',
    '/v1',
    '/v1/models/',
    '/v1/models/x',
  ])('at %s, where it is bound to /v1/models', (target) => {
    expect(
      brief(judged((phantom) => requestOf({ target, headers: [['Authorization', phantom()]] }), toModels)),
    ).toEqual(['phantom-misused', 'phantom-unbound main the header authorization']);
  });

  test.each(['/v1/models', '/v1/models?q=/admin', '//v1/models', '/%761/models'])(
    'but not at %s, which rules about requests take for the same path',
    (target) => {
      expect(
        brief(judged((phantom) => requestOf({ target, headers: [['Authorization', phantom()]] }), toModels)),
      ).toEqual(['pass', 'main header']);
    },
  );

  test('on a page that is not for git', () => {
    const credentials = [credentialOf({ injection: { kind: 'git', user: 'git' } })];
    expect(
      brief(
        judged(
          (phantom) => requestOf({ target: '/settings', headers: [['Authorization', basic(`git:${phantom()}`)]] }),
          { credentials },
        ),
      ),
    ).toEqual(['phantom-misused', 'phantom-unbound main the header authorization']);
  });

  test('of a credential that left the policy', () => {
    const context = testContext({ credentials: [bearer] });
    const request = requestOf({ headers: [['Authorization', context.phantom()]] });
    const seen = findPhantoms(partsOf(request, undefined), context.registry);
    expect(
      brief(
        judgeInjection({
          request,
          connection,
          here: placedCredentials({ ...context, credentials: [] }, connection),
          seen,
        }),
      ),
    ).toEqual(['phantom-misused', 'phantom-unbound main the header authorization']);
  });

  test('is revoked everywhere, once it was', () => {
    expect(brief(judged(sent, { before: ({ registry }) => registry.revoke('main') }))).toEqual([
      'phantom-misused',
      'phantom-revoked main the header authorization',
    ]);
  });
});

describe('in the clear', () => {
  const plain: InterceptedConnection = { scheme: 'http', destination: { host: 'api.test', port: 8080 } };
  const sent = (phantom: (name?: string) => string): OutgoingRequest =>
    requestOf({ scheme: 'http', headers: [['Authorization', `Bearer ${phantom()}`]] });

  test.each(['phantom', 'always'] as const)('no secret for TLS goes out: use %s', (use) => {
    const credentials = [credentialOf({ injection: { kind: 'bearer' }, hosts: ['api.test:8080'], use })];
    expect(
      brief(judged(use === 'always' ? () => requestOf({ scheme: 'http' }) : sent, { credentials, connection: plain })),
    ).toEqual(['credential-unavailable']);
  });

  test('a secret for plain text does', () => {
    const credentials = [
      credentialOf({ injection: { kind: 'bearer' }, hosts: ['api.test:8080'], binding: { transport: 'plain' } }),
    ];
    expect(brief(judged(sent, { credentials, connection: plain }))).toEqual(['pass', 'main header']);
  });
});

describe('a key of someone else', () => {
  test.each([
    [
      'the header authorization',
      { kind: 'bearer' },
      requestOf({ headers: [['Authorization', 'Bearer sk-of-an-attacker-EXAMPLE']] }),
    ],
    ['the header x-api-key', { kind: 'bearer' }, requestOf({ headers: [['X-Api-Key', 'of-an-attacker-EXAMPLE']] })],
    ['a header', { kind: 'bearer' }, requestOf({ headers: [['X_Api-Key', 'of-an-attacker-EXAMPLE']] })],
    [
      'the header authorization',
      { kind: 'header', name: 'x-api-key' },
      requestOf({ headers: [['authorization', 'Bearer EXAMPLE']] }),
    ],
    ['the header x-own', { kind: 'header', name: 'X-Own' }, requestOf({ headers: [['x-own', 'EXAMPLE']] })],
    ['the query', { kind: 'query', parameter: 'key' }, requestOf({ target: '/v1?key=EXAMPLE' })],
    ['the query', { kind: 'query', parameter: 'key' }, requestOf({ target: '/v1?k%65y=EXAMPLE' })],
    ['a cookie', { kind: 'cookie', name: 'session' }, requestOf({ headers: [['Cookie', 'session=EXAMPLE']] })],
  ] satisfies readonly (readonly [string, Credential['injection'], OutgoingRequest])[])(
    'in %s is refused',
    (place, injection, request) => {
      expect(brief(judged(() => request, { credentials: [credentialOf({ injection })] }))).toEqual([
        'foreign-credential',
        `foreign-credential  ${place}`,
      ]);
    },
  );

  test.each([
    ['at a path that the credential is not bound to', { paths: ['/v1/**'] }],
    ['with a method that it is not bound to', { methods: ['POST'] }],
  ])('is refused %s', (_, binding) => {
    expect(
      brief(
        judged(() => requestOf({ target: '/upload', headers: [['Authorization', 'Bearer EXAMPLE']] }), {
          credentials: [credentialOf({ injection: { kind: 'bearer' }, binding })],
        }),
      )[0],
    ).toBe('foreign-credential');
  });

  test('beside a phantom is refused as well', () => {
    expect(
      brief(
        judged((phantom) =>
          requestOf({
            headers: [
              ['Authorization', `Bearer ${phantom()}`],
              ['X-Api-Key', 'EXAMPLE'],
            ],
          }),
        ),
      ),
    ).toEqual(['foreign-credential', 'foreign-credential  the header x-api-key']);
  });

  test('is replaced where the credential is always used', () => {
    const credentials = [credentialOf({ injection: { kind: 'bearer' }, use: 'always' })];
    expect(brief(judged(() => requestOf({ headers: [['Authorization', 'Bearer EXAMPLE']] }), { credentials }))).toEqual(
      ['pass', 'main'],
    );
  });

  test.each(['', 'Bearer', 'Bearer ', 'basic'])('"%s" is not one', (value) => {
    expect(brief(judged(() => requestOf({ headers: [['Authorization', value]] })))).toEqual(['pass']);
  });

  test('at a host without a credential is ignored', () => {
    expect(
      brief(
        judged(() => requestOf({ headers: [['Authorization', 'Bearer EXAMPLE']] }), {
          connection: { ...connection, destination: { host: 'other.test', port: 443 } },
        }),
      ),
    ).toEqual(['pass']);
  });
});

describe('several credentials of a host', () => {
  const key = credentialOf({ name: 'key', injection: { kind: 'header', name: 'X-Key' } });
  const token = credentialOf({ name: 'token', injection: { kind: 'bearer' } });
  const always = credentialOf({ name: 'always', injection: { kind: 'header', name: 'X-Always' }, use: 'always' });
  const alsoBearer = credentialOf({ name: 'also', injection: { kind: 'cookie', name: 'c' }, use: 'always' });

  test('each is used for its phantom', () => {
    expect(
      brief(
        judged(
          (phantom) =>
            requestOf({
              headers: [
                ['X-Key', phantom('key')],
                ['Authorization', `Bearer ${phantom('token')}`],
              ],
            }),
          { credentials: [key, token] },
        ),
      ),
    ).toEqual(['pass', 'key header', 'token header']);
  });

  test('one with its phantom precedes one that is always used in the same header', () => {
    expect(
      brief(
        judged((phantom) => requestOf({ headers: [['Authorization', `Bearer ${phantom('token')}`]] }), {
          credentials: [always, token],
        }),
      ),
    ).toEqual(['pass', 'token header']);
    expect(brief(judged(() => requestOf(), { credentials: [always, token] }))).toEqual(['pass', 'always']);
    expect(
      brief(
        judged((phantom) => requestOf({ headers: [['Authorization', `Bearer ${phantom('token')}`]] }), {
          credentials: [alsoBearer, token],
        }),
      ),
    ).toEqual(['pass', 'token header', 'also']);
  });

  test('one phantom of a group is used where it is bound', () => {
    const api = credentialOf({ name: 'forge', injection: { kind: 'bearer' } });
    const git = credentialOf({
      name: 'forge.git',
      group: 'forge',
      injection: { kind: 'git', user: 'x' },
      hosts: ['forge.test:443'],
    });
    const credentials = [api, git];
    const at = { ...connection, destination: { host: 'forge.test', port: 443 } };
    expect(
      brief(
        judged((phantom) => requestOf({ headers: [['Authorization', `Bearer ${phantom('forge')}`]] }), { credentials }),
      ),
    ).toEqual(['pass', 'forge header']);
    expect(
      brief(
        judged(
          (phantom) =>
            requestOf({ target: '/a.git/info/refs', headers: [['Authorization', basic(`x:${phantom('forge')}`)]] }),
          { credentials, connection: at },
        ),
      ),
    ).toEqual(['pass', 'forge.git header']);
  });

  test('one of another host is unbound', () => {
    const other = credentialOf({ name: 'other', injection: { kind: 'bearer' }, hosts: ['other.test:443'] });
    expect(
      brief(
        judged((phantom) => requestOf({ headers: [['Authorization', `Bearer ${phantom('other')}`]] }), {
          credentials: [token, other],
        }),
      ),
    ).toEqual(['phantom-misused', 'phantom-unbound other the header authorization']);
  });
});
