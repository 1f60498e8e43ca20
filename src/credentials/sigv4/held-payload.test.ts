import { expect, test } from 'vitest';
import { mostHeld } from '../../egress/http/held-content.ts';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import type { IncomingResponse } from '../../egress/http/message.ts';
import { credentialInterceptor } from '../inject/interceptor.ts';
import { credentialOf, testContext } from '../inject/testing/context.ts';
import { connection, requestOf } from '../inject/testing/requests.ts';
import { suiteKeys, suiteTime } from './testing/resign.ts';

/** One for all, so that the test itself holds no more. */
const long = Buffer.alloc(31 * 1024 * 1024, ' ');

/** Attack: a server that never answers, and a box that sends it contents that are read whole for their signatures. */
test('a content that is signed counts until its answer begins', async () => {
  const credential = credentialOf({ injection: { kind: 'sigv4' } });
  const { secretAccessKey: value, accessKeyId } = suiteKeys;
  const context = testContext({
    credentials: [credential],
    now: () => suiteTime,
    secrets: { main: { kind: 'secret', secret: { value, fields: { accessKeyId } } } },
  });
  const id = context.registry.mintFor(credential, 'accessKeyId', 'AKIAIOSFODNN7EXAMPLE');
  const waiting: ((answer: IncomingResponse) => void)[] = [];
  const send = credentialInterceptor(context)(() => new Promise((answer) => void waiting.push(answer)), connection);
  const ask = () =>
    send(
      requestOf({
        headers: [
          [
            'Authorization',
            `AWS4-HMAC-SHA256 Credential=${id}/20150830/eu-central-1/sns/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
          ],
          ['X-Amz-Date', '20150830T123600Z'],
        ],
        body: bodyFrom(
          (async function* () {
            yield long;
          })(),
        ),
      }),
    );
  const end = (): void => {
    for (const answer of waiting.splice(0)) answer({ kind: 'response', status: 200, reason: '', fields: [] });
  };
  const most = Math.floor(mostHeld / 2 / long.length);
  const asked = [];
  for (let turn = 1; turn <= most; turn += 1) {
    asked.push(ask());
    await expect.poll(() => waiting.length).toBe(turn);
  }
  expect(await ask()).toMatchObject({ refusal: { message: expect.stringContaining('too much content') as string } });
  end();
  await Promise.all(asked);
  const again = ask();
  await expect.poll(() => waiting.length).toBe(1);
  end();
  expect(await again).toMatchObject({ status: 200 });
});
