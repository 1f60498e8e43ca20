import { expect, test } from 'vitest';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import { modelGateway } from './model-gateway.ts';
import { anthropic, gatewayOf, requestOf, ruleOf, said, settingsOf, textOf } from './testing/gateway.ts';

/** One for all, so that the test itself holds no more. */
const long = Buffer.alloc(60 * 1024 * 1024, ' ');

/** Attack: requests of 60 MiB that never end, of which a machine can hold so many. */
test('long requests that never end leave no room for more, and room again when they are gone', async () => {
  const gateway = gatewayOf(settingsOf({ dlp: [ruleOf()] }));
  const ends: (() => void)[] = [];
  const send = modelGateway(gateway)(async () => ({ kind: 'response', status: 200, reason: '', fields: [] }), {
    destination: anthropic,
    scheme: 'https',
  });
  const ask = (body: ReturnType<typeof bodyFrom>) => send(requestOf({ body }));
  const short = (): ReturnType<typeof bodyFrom> =>
    bodyFrom(
      (async function* () {
        yield Buffer.from(said('hello'));
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
  await expect.poll(() => begun).toBe(8);
  const refused = (await Promise.race(endless)) as Awaited<(typeof endless)[number]>;
  expect(refused).toMatchObject({ status: 429 });
  expect(await textOf(refused.kind === 'response' ? refused.body : undefined)).toContain('at the same time');
  expect(await ask(short())).toMatchObject({ status: 200 });
  for (const end of ends) end();
  await Promise.all(endless);
  expect(
    await ask(
      bodyFrom(
        (async function* () {
          yield long;
          yield Buffer.from(said('x'));
        })(),
      ),
    ),
  ).toMatchObject({ status: 200 });
});
