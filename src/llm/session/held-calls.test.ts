import { expect, test } from 'vitest';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import { modelGateway } from './model-gateway.ts';
import { anthropic, gatewayOf, requestOf, ruleOf, said, settingsOf, textOf } from './testing/gateway.ts';

/** One for all, so that the test itself holds no more. */
const long = Buffer.alloc(60 * 1024 * 1024, ' ');

/** Attack: requests of 60 MiB that never end, of which a machine can hold so many. */
test('long requests that never end leave no room for more but in other sessions, until they are gone', async () => {
  const ends: (() => void)[] = [];
  const session = () =>
    modelGateway(gatewayOf(settingsOf({ dlp: [ruleOf()] })))(
      async () => ({ kind: 'response', status: 200, reason: '', fields: [] }),
      { destination: anthropic, scheme: 'https' },
    );
  const [send, other] = [session(), session()];
  const ask = (body: ReturnType<typeof bodyFrom>) => send(requestOf({ body }));
  const short = (): ReturnType<typeof bodyFrom> =>
    bodyFrom(
      (async function* () {
        yield Buffer.from(said('hello'));
      })(),
    );
  const longOne = (): ReturnType<typeof bodyFrom> =>
    bodyFrom(
      (async function* () {
        yield long;
        yield Buffer.from(said('x'));
      })(),
    );
  let begun = 0;
  const endless = Array.from({ length: 12 }, () =>
    ask(
      bodyFrom(
        (async function* () {
          yield long;
          begun += 1;
          await new Promise<void>((resolve) => void ends.push(resolve));
          throw new Error('gone');
        })(),
      ),
    ),
  );
  await expect.poll(() => begun).toBe(4);
  const refused = (await Promise.race(endless)) as Awaited<(typeof endless)[number]>;
  expect(refused).toMatchObject({ status: 429 });
  expect(await textOf(refused.kind === 'response' ? refused.body : undefined)).toContain('at the same time');
  expect(await ask(short())).toMatchObject({ status: 200 });
  expect(await ask(longOne())).toMatchObject({ status: 429 });
  expect(await other(requestOf({ body: longOne() }))).toMatchObject({ status: 200 });
  for (const end of ends) end();
  await Promise.all(endless);
  expect(await ask(longOne())).toMatchObject({ status: 200 });
});
