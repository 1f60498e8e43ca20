import { describe, expect, test } from 'vitest';
import { type IncomingResponse, type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import type { ConnectionApproval } from '../../egress/types.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import type { CredentialContext } from '../types.ts';
import { credentialInterceptor, refusedUse } from './interceptor.ts';
import { credentialOf, secretOf, testContext } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';

const asking = credentialOf({ injection: { kind: 'bearer' }, decision: 'ask' });
const allowed: ConnectionApproval = { kind: 'allowed' };
const denied: ConnectionApproval = { kind: 'denied', message: 'it was not approved' };

/** What goes out of a session whose person answers so. */
function session(credential: Credential, answers: readonly ConnectionApproval[] | 'nobody') {
  const context = testContext({ credentials: [credential] });
  const questions: unknown[] = [];
  const approve: NonNullable<CredentialContext['approve']> = async ({ name }, use) => {
    questions.push([name, use, [...context.reads]]);
    return answers[questions.length - 1] as ConnectionApproval;
  };
  const keys: (string | undefined)[] = [];
  const upstream = async ({ fields }: OutgoingRequest): Promise<IncomingResponse> => {
    keys.push(fieldValue(fields, 'authorization'));
    return { kind: 'response', status: 200, reason: 'OK', fields: [] };
  };
  const send = credentialInterceptor(answers === 'nobody' ? context : { ...context, approve })(upstream, connection);
  return {
    context,
    keys,
    questions,
    send,
    request: () =>
      requestOf({ target: '/v1/x?q=private', headers: [['Authorization', `Bearer ${context.phantom()}`]] }),
  };
}

describe('a credential that asks', () => {
  test('is used after the answer, and its secret is read no sooner', async () => {
    const { keys, questions, send, request } = session(asking, [allowed]);
    expect(await send(request())).toMatchObject({ kind: 'response' });
    expect(keys).toEqual([`Bearer ${secretOf('main')}`]);
    expect(questions).toEqual([
      ['main', { kind: 'http', method: 'GET', scheme: 'https', host: 'api.test', port: 443, path: '/v1/x' }, []],
    ]);
  });

  /** Attack: someone approves POST, and the server deletes. */
  test.each([
    ['a header', { headers: [['X-HTTP-Method-Override', 'DELETE']] }, 'DELETE /v1/x'],
    ['the query', { target: '/v1/x?_method=delete' }, 'DELETE /v1/x'],
    ['another path', { headers: [['X-Original-URL', '/admin']] }, 'POST /admin'],
  ] as const)('is asked about as every request that a server may make of it: %s', async (_, more, other) => {
    const { context, keys, questions, send } = session(asking, [allowed, denied]);
    const given: { readonly target?: string; readonly headers?: readonly (readonly [string, string])[] } = more;
    const key = ['Authorization', `Bearer ${context.phantom()}`] as const;
    const { headers = [], target = '/v1/x' } = given;
    expect(await send(requestOf({ method: 'POST', target, headers: [...headers, key] }))).toMatchObject({
      kind: 'refused',
    });
    const asked = questions as readonly (readonly [string, { readonly method: string; readonly path: string }])[];
    expect(asked.map(([, { method, path }]) => `${method} ${path}`)).toEqual(['POST /v1/x', other]);
    expect(keys).toEqual([]);
  });

  test.each([
    ['was revoked', (context: CredentialContext): void => context.registry.revoke('main')],
    ['left the policy', (context: CredentialContext): void => void (context.credentials as Credential[]).pop()],
  ] as const)('goes nowhere if it %s while someone was asked', async (_, meanwhile) => {
    const context = testContext({ credentials: [asking] });
    const sent: OutgoingRequest[] = [];
    const upstream = async (request: OutgoingRequest): Promise<IncomingResponse> => {
      sent.push(request);
      return { kind: 'response', status: 200, reason: '', fields: [] };
    };
    const approve = async (): Promise<ConnectionApproval> => (meanwhile(context), allowed);
    const send = credentialInterceptor({ ...context, approve })(upstream, connection);
    expect(await send(requestOf({ headers: [['Authorization', `Bearer ${context.phantom()}`]] }))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'credential-unavailable', message: expect.stringContaining('while someone was asked') },
    });
    expect([sent, context.reads]).toEqual([[], []]);
  });

  test('goes nowhere when it was denied, and says how', async () => {
    const { keys, context, send, request } = session(asking, [denied]);
    expect(await send(request())).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'policy',
        message:
          'The credential "main" is used at api.test:443 only when someone has approved it; it was not approved.',
      },
    });
    expect([keys, context.reads]).toEqual([[], []]);
  });

  test('goes nowhere without someone to ask', async () => {
    const { keys, send, request } = session(asking, 'nobody');
    expect(await send(request())).toMatchObject({
      kind: 'refused',
      refusal: { message: expect.stringContaining('nobody was there to ask') },
    });
    expect(keys).toEqual([]);
  });

  test('is asked about at each use', async () => {
    const { keys, questions, send, request } = session(asking, [allowed, denied]);
    await send(request());
    expect(await send(request())).toMatchObject({ kind: 'refused' });
    expect([keys.length, questions.length]).toEqual([1, 2]);
  });

  test('that is always used is asked about as well', async () => {
    const { keys, send } = session(credentialOf({ injection: { kind: 'bearer' }, use: 'always', decision: 'ask' }), [
      denied,
    ]);
    expect(await send(requestOf())).toMatchObject({ kind: 'refused' });
    expect(keys).toEqual([]);
  });

  test('does not ask about a request that is refused anyway, or has no phantom', async () => {
    const { context, questions, send } = session(asking, []);
    expect(await send(requestOf({ headers: [['X-Other', context.phantom()]] }))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'phantom-misused' },
    });
    expect(await send(requestOf())).toMatchObject({ kind: 'response' });
    expect(questions).toEqual([]);
  });
});

test.each([undefined, 'allow'] as const)('one decided as %s needs no answer', async (decision) => {
  const credential = credentialOf({ injection: { kind: 'bearer' }, ...(decision === undefined ? {} : { decision }) });
  expect(
    await refusedUse(
      credential,
      { kind: 'connect', host: 'db.test', port: 5432, protocol: 'tcp' },
      { approve: () => Promise.reject(new Error('asked')) },
    ),
  ).toBeUndefined();
});

test('a connection of a database is asked about as such', async () => {
  const questions: unknown[] = [];
  const use = { kind: 'connect', host: 'db.test', port: 5432, protocol: 'tcp' } as const;
  const approve = async (_credential: Credential, asked: unknown): Promise<ConnectionApproval> => (
    questions.push(asked), denied
  );
  expect(await refusedUse(asking, use, { approve })).toMatchObject({
    code: 'policy',
    message: expect.stringContaining('db.test:5432'),
  });
  expect(questions).toEqual([use]);
});
