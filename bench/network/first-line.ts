import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A program's first line, which means that it is ready. Rejects if it ends without one. */
export async function firstLine(child: ChildProcess & { readonly stdout: Readable }): Promise<string> {
  const lines = createInterface({ input: child.stdout });
  const ended = once(lines, 'close').then(() =>
    Promise.reject(new Error(`${child.spawnfile} ended before it was ready`)),
  );
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined);
  return line;
}
