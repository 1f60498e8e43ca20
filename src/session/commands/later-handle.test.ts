import { PassThrough, type Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { StartedCommand } from './command-handle.ts';
import { laterHandle } from './later-handle.ts';

function begun() {
  const killed: (NodeJS.Signals | undefined)[] = [];
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let end: (exitCode: number) => void = () => undefined;
  const ended = new Promise<Awaited<StartedCommand['ended']>>(
    (resolve) =>
      (end = (exitCode) => resolve({ exitCode, signal: 0, ending: 'exited', refusals: [], quarantined: [] })),
  );
  const handle: StartedCommand = {
    stdin,
    stdout,
    stderr,
    ended,
    kill: (signal) => void killed.push(signal),
    pid: () => 7,
    resize: () => undefined,
  };
  return { handle, stdin, stdout, stderr, killed, end };
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a command that starts later', () => {
  test('gets what was written before, and gives what it prints', async () => {
    const { handle, stdin, stdout, stderr, end } = begun();
    let approve: (handle: StartedCommand) => void = () => undefined;
    const later = laterHandle(new Promise((resolve) => (approve = resolve)));
    later.stdin.end('early');
    const output = Promise.all([textOf(later.stdout), textOf(later.stderr)]);
    approve(handle);
    expect(await textOf(stdin)).toBe('early');
    stdout.end('out');
    stderr.end('err');
    end(7);
    expect(await output).toEqual(['out', 'err']);
    expect(await later.ended).toMatchObject({ exitCode: 7 });
  });

  test('that is not approved ends with that, and prints nothing', async () => {
    const later = laterHandle(Promise.reject(new Error('refused')));
    later.stdin.end('x'.repeat(1_000_000));
    expect(await Promise.all([textOf(later.stdout), textOf(later.stderr)])).toEqual(['', '']);
    await expect(later.ended).rejects.toThrow('refused');
  });

  test('gets the signals that came before', async () => {
    const { handle, killed, stdout, stderr, end } = begun();
    const later = laterHandle(Promise.resolve(handle));
    later.kill();
    later.kill('SIGKILL');
    end(0);
    stdout.end();
    stderr.end();
    await later.ended;
    later.kill('SIGINT');
    expect(killed).toEqual(['SIGTERM', 'SIGKILL', 'SIGINT']);
  });

  test('may end without reading its input', async () => {
    const { handle, stdin, end } = begun();
    const later = laterHandle(Promise.resolve(handle));
    await Promise.resolve();
    stdin.destroy(new Error('EPIPE'));
    later.stdin.end('x'.repeat(1_000_000));
    end(0);
    expect(await later.ended).toMatchObject({ exitCode: 0 });
  });
});
