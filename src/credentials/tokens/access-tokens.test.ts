import { describe, expect, test } from 'vitest';
import { credentialOf } from '../inject/testing/context.ts';
import { answer, scene } from './testing/scene.ts';

const client = { kind: 'oauth2-client', tokenUrl: 'https://auth.test/token', clientId: 'app' } as const;
const refresh = { kind: 'oauth2-refresh', tokenUrl: 'https://auth.test/token', clientId: 'app' } as const;
const granted = (token: string, more: Readonly<Record<string, unknown>> = {}) => ({
  access_token: token,
  token_type: 'Bearer',
  expires_in: 3600,
  ...more,
});
const refused = (error: string) => answer(400, { error, error_description: 'EXAMPLE text of the server' });
const minute = 60_000;

describe('an access token', () => {
  test('is fetched once while it is good, and a minute before its end again', async () => {
    const { access, asked, pass } = scene(client, [granted('one'), granted('two')]);
    expect(await access()).toBe('one');
    pass(59 * minute - 1);
    expect(await access()).toBe('one');
    expect(asked).toHaveLength(1);
    pass(1);
    expect(await access()).toBe('two');
  });

  test.each([
    [{ expires_in: 60 }, 30_000],
    [{ expires_in: '120' }, 60_000],
    [{ expires_in: 0 }, 1000],
    [{ expires_in: -1 }, 240_000],
    [{ expires_in: 'soon' }, 240_000],
    [{ expires_in: undefined }, 240_000],
    [{ expires_in: 1e12 }, 86_340_000],
  ])('with %j is fetched again after %i ms', async (more, good) => {
    const { access, pass } = scene(client, [granted('one', more), granted('two')]);
    await access();
    pass(good - 1);
    expect(await access()).toBe('one');
    pass(1);
    expect(await access()).toBe('two');
  });

  test('that many wait for is asked for once', async () => {
    const { access, asked } = scene(client, [granted('one'), granted('two')]);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, access)))).toEqual(new Set(['one']));
    expect(asked).toHaveLength(1);
  });

  test('is reported as refreshed, and masked from then on', async () => {
    const { access, events, known } = scene(client, [granted('EXAMPLE-token')]);
    await access();
    expect(events).toEqual([{ kind: 'refreshed', credential: 'main' }]);
    expect(known()).toContain('EXAMPLE-token');
  });

  test('the oldest of many is no longer looked for', async () => {
    const { access, known, pass } = scene(
      client,
      Array.from({ length: 40 }, (_, index) => granted(`EXAMPLE-${index}`)),
    );
    for (let count = 0; count < 40; count += 1) {
      await access();
      pass(60 * minute);
    }
    expect(known().filter((text) => text.startsWith('EXAMPLE-'))).toEqual(
      Array.from({ length: 16 }, (_, index) => `EXAMPLE-${index + 24}`),
    );
  });

  test('that was not taken is forgotten, but a new one is kept for ten seconds', async () => {
    const { access, tokens, pass } = scene(client, [granted('one'), granted('two')]);
    await access();
    tokens.forget('main');
    expect(await access()).toBe('one');
    pass(10_000);
    tokens.forget('other');
    expect(await access()).toBe('one');
    tokens.forget('main');
    expect(await access()).toBe('two');
  });

  test('is refused for a kind without one', async () => {
    const { access } = scene({ kind: 'bearer' }, []);
    expect(await access()).toBe('! The credential "main" has no access tokens. Use another kind in `inject`.');
  });

  test('is not kept when the session ends', async () => {
    const { access, tokens, asked } = scene(client, [granted('one'), granted('two')]);
    await access();
    tokens.close();
    await access();
    expect(asked).toHaveLength(2);
  });
});

describe('the request', () => {
  test('client credentials: the client is in the header, in form encoding', async () => {
    const { access, asked } = scene(
      { ...client, clientId: 'app:1 é', scope: 'read write', audience: 'https://api.test/' },
      [granted('one')],
      { kind: 'secret', secret: { value: 'EXAMPLE+/ :', fields: {} } },
    );
    await access();
    expect(asked).toEqual([
      expect.objectContaining({
        url: 'https://auth.test/token',
        method: 'POST',
        form: { grant_type: 'client_credentials', scope: 'read write', audience: 'https://api.test/' },
      }),
    ]);
    expect(Buffer.from(asked[0]?.headers['authorization']?.split(' ')[1] ?? '', 'base64').toString()).toBe(
      'app%3A1+%C3%A9:EXAMPLE%2B%2F+%3A',
    );
  });

  test('a server that takes no header is asked again with the secret in the form, and no other error makes it so', async () => {
    const form = scene(client, [refused('invalid_client'), granted('one')]);
    expect(await form.access()).toBe('one');
    expect(form.asked[1]?.form).toEqual({
      grant_type: 'client_credentials',
      client_id: 'app',
      client_secret: 'real-EXAMPLE-secret-of-main',
    });
    expect(form.asked[1]?.headers).not.toHaveProperty('authorization');
    const scope = scene(client, [refused('invalid_scope'), granted('one')]);
    await scope.access();
    expect(scope.asked).toHaveLength(1);
  });

  test('a refresh token: the client says its name alone', async () => {
    const { access, asked } = scene({ ...refresh, scope: 'read' }, [granted('one')]);
    await access();
    expect(asked[0]?.form).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'real-EXAMPLE-secret-of-main',
      scope: 'read',
      client_id: 'app',
    });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a refresh token that the server replaces', () => {
  test('is used from then on, masked, and its source is said to have the old one', async () => {
    const { access, asked, pass, events, known } = scene(refresh, [
      granted('one', { refresh_token: 'EXAMPLE-second' }),
      granted('two', { refresh_token: 'EXAMPLE-third' }),
      granted('three'),
    ]);
    for (let count = 0; count < 3; count += 1) {
      await access();
      pass(60 * minute);
    }
    expect(asked.map(({ form }) => form['refresh_token'])).toEqual([
      'real-EXAMPLE-secret-of-main',
      'EXAMPLE-second',
      'EXAMPLE-third',
    ]);
    expect(known()).toEqual(expect.arrayContaining(['EXAMPLE-second', 'EXAMPLE-third']));
    expect(events[0]?.message).toContain('The source of "main" still has the old token');
    expect(JSON.stringify(events)).not.toContain('EXAMPLE-');
    expect(events[2]).toEqual({ kind: 'refreshed', credential: 'main' });
  });

  test('an equal one is not new', async () => {
    const { access, events } = scene(refresh, [granted('one', { refresh_token: 'real-EXAMPLE-secret-of-main' })]);
    await access();
    expect(events).toEqual([{ kind: 'refreshed', credential: 'main' }]);
  });

  test('is given up where the server does not take it: the source may have another one meanwhile', async () => {
    const { access, asked, pass } = scene(refresh, [
      granted('one', { refresh_token: 'EXAMPLE-second' }),
      refused('invalid_grant'),
      granted('two'),
    ]);
    await access();
    pass(60 * minute);
    expect(await access()).toBe(
      '! The credential "main" cannot be used: its token endpoint refused: invalid_grant. Log in again outside the box, and store the new token: this one has expired, was revoked or was already used.',
    );
    pass(10_000);
    expect(await access()).toBe('two');
    expect(asked.at(-1)?.form['refresh_token']).toBe('real-EXAMPLE-secret-of-main');
  });

  test('client credentials do not use one', async () => {
    const { access, events, known } = scene(client, [granted('one', { refresh_token: 'EXAMPLE-refresh' })]);
    await access();
    expect(events).toEqual([{ kind: 'refreshed', credential: 'main' }]);
    expect(known()).not.toContain('EXAMPLE-refresh');
  });
});

describe('an endpoint that gives no token', () => {
  test('is asked again after ten seconds, and not before', async () => {
    const { access, asked, pass, events } = scene(client, [refused('temporarily_unavailable'), granted('one')]);
    const first = await access();
    pass(9999);
    expect(await access()).toBe(first);
    expect(asked).toHaveLength(1);
    expect(events).toEqual([
      {
        kind: 'unavailable',
        credential: 'main',
        message: 'The credential "main" cannot be used: its token endpoint refused: temporarily_unavailable.',
      },
    ]);
    pass(1);
    expect(await access()).toBe('one');
  });

  test('leaves the token that is there good to its end', async () => {
    const { access, pass } = scene(client, [granted('one'), answer(503, 'busy')]);
    await access();
    pass(59 * minute);
    expect(await access()).toBe('one');
    pass(minute);
    expect(await access()).toContain('its token endpoint answered with status 503');
  });

  test('a client that cannot ask says why', async () => {
    const { access } = scene(client, [
      { kind: 'unavailable', message: 'its token endpoint could not be asked: no', remedy: 'Allow it.' },
    ]);
    expect(await access()).toBe(
      '! The credential "main" cannot be used: its token endpoint could not be asked: no. Allow it.',
    );
  });

  test('a missing secret is reported as such, and nobody is asked', async () => {
    const { access, asked } = scene(client, [], { kind: 'unavailable', message: 'There is none.', remedy: 'Add it.' });
    expect(await access()).toBe('! There is none. Add it.');
    expect(asked).toEqual([]);
  });

  test('a broken promise is an error without its text', async () => {
    const { context } = scene(client, []);
    const { createTokenStore } = await import('./token-store.ts');
    const broken = createTokenStore({
      registry: context.registry,
      secrets: context.secrets,
      client: { fetch: () => Promise.reject(new Error('EXAMPLE-secret')) },
      now: Date.now,
    });
    expect(await broken.access(credentialOf({ injection: client }))).toEqual({
      kind: 'unavailable',
      message: 'The access token of the credential "main" could not be fetched.',
      remedy: 'Try again later.',
    });
  });
});
