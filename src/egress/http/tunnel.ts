import type { Duplex } from 'node:stream';
import { limits } from './limits.ts';
import { endAfterSilence } from './silence.ts';

/** Carries bytes both ways until both ends are done. An end that breaks takes the other with it. */
export async function joinTunnel(a: Duplex, b: Duplex): Promise<void> {
  for (const end of [a, b]) endAfterSilence(end, limits.tunnelSilence);
  a.pipe(b);
  b.pipe(a);
  await Promise.all([closed(a, b), closed(b, a)]);
}

function closed(stream: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      if (!stream.readableEnded || stream.errored !== null) other.destroy();
      else if (!other.writableEnded) other.end();
      resolve();
    };
    stream.on('error', () => undefined);
    if (stream.closed) finish();
    else stream.on('close', finish);
  });
}
