import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTokenAnswer } from './read-token-answer.ts';
import { answer } from './testing/scene.ts';

describe('a token answer', () => {
  test.each([
    [
      { access_token: 'a', token_type: 'Bearer', expires_in: 10, refresh_token: 'r' },
      { kind: 'granted', accessToken: 'a', lifetime: 10_000, refreshToken: 'r' },
    ],
    [
      { access_token: 'a', token_type: 'bearer' },
      { kind: 'granted', accessToken: 'a' },
    ],
    [{ access_token: 'a' }, { kind: 'granted', accessToken: 'a' }],
    [
      { access_token: 'a', refresh_token: 'r\n' },
      { kind: 'granted', accessToken: 'a' },
    ],
  ])('%j', (body, granted) => {
    expect(readTokenAnswer(answer(200, body))).toEqual(granted);
  });

  test.each([
    [200, { token_type: 'Bearer' }, 'its token endpoint answered without an access token'],
    [200, { access_token: '' }, 'its token endpoint answered without an access token'],
    [200, { access_token: 1 }, 'its token endpoint answered without an access token'],
    [200, { access_token: 'a b' }, 'its token endpoint answered without an access token'],
    [200, { access_token: 'a\r\nX-Other: b' }, 'its token endpoint answered without an access token'],
    [200, { access_token: 'ä' }, 'its token endpoint answered without an access token'],
    [200, { access_token: 'a', token_type: 'mac' }, 'its token endpoint returned a token whose type is not Bearer'],
    [200, { access_token: 'a', token_type: ['DPoP'] }, 'its token endpoint returned a token whose type is not Bearer'],
    [200, { error: 'slow_down' }, 'its token endpoint refused: slow_down'],
    [200, '[]', 'its token endpoint answered without a JSON object'],
    [200, 'null', 'its token endpoint answered without a JSON object'],
    [200, 'access_token=a', 'its token endpoint answered without a JSON object'],
    [200, '', 'its token endpoint answered without a JSON object'],
    [302, { access_token: 'a' }, 'its token endpoint answered with status 302'],
    [400, { error: 'invalid_client' }, 'its token endpoint refused: invalid_client'],
    [400, { error: 'EXAMPLE-secret' }, 'its token endpoint answered with status 400'],
    [400, { error: ['invalid_client'] }, 'its token endpoint answered with status 400'],
    [401, 'EXAMPLE-secret', 'its token endpoint answered with status 401'],
  ])('%i %j', (status, body, message) => {
    expect(readTokenAnswer(answer(status, body))).toMatchObject({ kind: 'unavailable', message });
  });

  test('any answer throws nothing, reveals nothing, and gives only header-safe values', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }),
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .record({
              access_token: fc.anything(),
              expires_in: fc.anything(),
              error: fc.anything(),
              token_type: fc.constantFrom('bearer', undefined, 1),
            })
            .map((value) =>
              JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
            ),
        ),
        (status, body) => {
          const read = readTokenAnswer({ kind: 'answer', status, body });
          if (read.kind === 'granted') expect(read.accessToken).toMatch(/^[!-~]+$/u);
          else
            expect(read.message).toMatch(
              /^its token endpoint (?:answered with(?:out a JSON object|out an access token| status \d+)|returned a token whose type is not Bearer|refused: [a-z_]+)$/u,
            );
        },
      ),
    ));
});
