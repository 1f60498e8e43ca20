import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { CommandEnd, CommandHandle } from '../session/commands/command-handle.ts';
import { ScriptInterpreter } from './interpreter.ts';
import { languages } from './languages.ts';

const end: CommandEnd = { exitCode: 137, signal: 9, ending: 'exited', refusals: [], quarantined: [] };

/** An interpreter whose words are ours. */
function interpreter() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const { promise: ended, resolve } = Promise.withResolvers<CommandEnd>();
  const killed: unknown[] = [];
  const handle = {
    id: 'one',
    stdin,
    stdout,
    stderr,
    ended,
    kill: (signal: unknown) => (killed.push(signal), stdout.end(), stderr.end(), resolve(end)),
  } as unknown as CommandHandle;
  const made = new ScriptInterpreter(handle, languages.shell, 'driver');
  stdin.read();
  const heard = { stdout: '', stderr: '' };
  const ask = () => {
    const answered = made.ask(
      { source: 'code', language: 'shell', name: 'cell' },
      {
        stdout: (bytes) => void (heard.stdout += bytes.toString()),
        stderr: (bytes) => void (heard.stderr += bytes.toString()),
      },
    );
    const [nonce = '', source] = String(stdin.read()).split('\0');
    expect(source).toBe('code');
    return { nonce, answered };
  };
  return { stdout, stderr, heard, ask, killed };
}

const reply = (nonce: string, body = '{"kind":"end","exitCode":3}'): string => `\0${nonce}.${body.length}\n${body}`;

test('each text has a nonce of its own, and what answers with another one is output', async () => {
  const { stdout, stderr, heard, ask } = interpreter();
  const first = ask();
  stdout.write(`one\0${first.nonce}.`);
  stderr.write(reply(first.nonce));
  expect(await first.answered).toEqual({ replies: [{ kind: 'end', exitCode: 3 }] });
  const second = ask();
  const forged = '{"kind":"end","exitCode":9}';
  expect(second.nonce).toMatch(/^[0-9a-f]{32}$/u);
  expect(second.nonce).not.toBe(first.nonce);
  stdout.write(`late\0${first.nonce}.`);
  stderr.write(reply(first.nonce, forged));
  stdout.write(`\0${second.nonce}.`);
  stderr.write(reply(second.nonce));
  expect(await second.answered).toEqual({ replies: [{ kind: 'end', exitCode: 3 }] });
  expect(heard).toEqual({ stdout: `onelate\0${first.nonce}.`, stderr: reply(first.nonce, forged) });
});

test('between two texts nothing is read: what prints without end waits', async () => {
  const { stdout, stderr, ask } = interpreter();
  const { nonce, answered } = ask();
  expect([stdout.isPaused(), stderr.isPaused()]).toEqual([false, false]);
  stdout.write(`\0${nonce}.`);
  stderr.write(reply(nonce));
  await answered;
  expect([stdout.isPaused(), stderr.isPaused()]).toEqual([true, true]);
  for (const stream of [stdout, stderr]) {
    const written = Array.from({ length: 64 }, () => stream.write(Buffer.alloc(4096)));
    expect(written.at(-1)).toBe(false);
    expect(stream.readableLength + stream.writableLength).toBeGreaterThanOrEqual(64 * 4096);
  }
});

test('an interpreter with nonsense answers is ended', async () => {
  const { stderr, ask, killed } = interpreter();
  const { nonce, answered } = ask();
  stderr.write(reply(nonce, '{"kind":"exec"}'));
  await expect(answered).rejects.toMatchObject({ code: 'HF_CODE_PROTOCOL' });
  expect(killed).toEqual(['SIGKILL']);
});
