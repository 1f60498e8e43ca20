import { describe, expect, test } from 'vitest';
import { type IncomingResponse, type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { credentialInterceptor } from './interceptor.ts';
import { credentialOf, secretOf, testContext } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';

const always = credentialOf({ injection: { kind: 'bearer' }, use: 'always' });
const token = credentialOf({ name: 'token', injection: { kind: 'bearer' } });

/** What goes out of a session with some credentials. */
function session(credentials: readonly Credential[]) {
  const context = testContext({ credentials });
  const keys: (string | undefined)[] = [];
  const upstream = async ({ fields }: OutgoingRequest): Promise<IncomingResponse> => {
    keys.push(fieldValue(fields, 'authorization'));
    return { kind: 'response', status: 200, reason: 'OK', fields: [] };
  };
  const send: (request: OutgoingRequest) => Promise<IncomingResponse | Refused> = credentialInterceptor(context)(
    upstream,
    connection,
  );
  return { context, keys, send };
}

describe('a credential that is always used', () => {
  test.each(['main', undefined])('goes nowhere once it was revoked: by the name %s', async (name) => {
    const { context, keys, send } = session([always]);
    await send(requestOf());
    context.registry.revoke(name);
    expect(await send(requestOf())).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'credential-unavailable',
        message: 'The credential "main", which every request to api.test:443 gets, was revoked.',
      },
    });
    expect(keys).toEqual([`Bearer ${secretOf('main')}`]);
  });

  test('is revoked with its group', async () => {
    const { context, keys, send } = session([
      credentialOf({ name: 'forge.git', group: 'forge', injection: { kind: 'git', user: 'x' }, use: 'always' }),
    ]);
    context.registry.revoke('forge');
    expect(await send(requestOf({ target: '/a.git/info/refs' }))).toMatchObject({ kind: 'refused' });
    expect(keys).toEqual([]);
  });

  test('works despite another revoked one, and blocks none when revoked itself', async () => {
    const { context, keys, send } = session([always, token]);
    await send(requestOf({ headers: [['Authorization', `Bearer ${context.phantom('token')}`]] }));
    context.registry.revoke('main');
    await send(requestOf({ headers: [['Authorization', `Bearer ${context.phantom('token')}`]] }));
    expect(keys).toEqual([`Bearer ${secretOf('token')}`, `Bearer ${secretOf('token')}`]);
    const other = session([always, token]);
    other.context.registry.revoke('token');
    await other.send(requestOf());
    expect(other.keys).toEqual([`Bearer ${secretOf('main')}`]);
  });
});
