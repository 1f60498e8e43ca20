import { expect, test } from 'vitest';
import { opcodes } from './frame-head.ts';
import { framesOf } from './testing/frames.ts';
import { closed, heardOf, secret, testWatch, watchedPair } from './testing/watched.ts';

const full = (): never => {
  throw new Error('the disk is full');
};

test('a find ends the tunnel even if it cannot be reported, and does not go out', async () => {
  const watch = testWatch();
  const { client, server } = watchedPair({ ...watch, onHit: full });
  const heard = heardOf(server);
  expect(() =>
    client.write(framesOf([{ opcode: opcodes.text, text: `key ${watch.phantom}`, cuts: [] }], 'server')),
  ).not.toThrow();
  await closed(client);
  expect((await heard).toString('latin1')).not.toContain(watch.phantom);
});

test('a secret that comes in ends it likewise, and is not shown', async () => {
  const { client, server } = watchedPair({ ...testWatch(), onMasked: full });
  const heard = heardOf(client);
  server.write(framesOf([{ opcode: opcodes.text, text: `key ${secret}`, cuts: [] }], 'client'));
  await closed(client);
  expect((await heard).toString('latin1')).not.toContain(secret);
});
