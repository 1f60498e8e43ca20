import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shownOutput, showTo } from './shown-output.ts';

async function textOf(stream: Readable): Promise<string> {
  return Buffer.concat((await stream.toArray()) as Buffer[]).toString();
}

describe('a command’s output', () => {
  test.each([
    ['model', '\u001b[31mred\u001b[0m\u200b\n', 'red⟦U+200B⟧\n'],
    ['person', '\u001b[31mred\u001b[0m\u200b\n', '\u001b[31mred\u001b[0m⟦U+200B⟧\n'],
    ['model', 'plain\n', 'plain\n'],
    ['model', '', ''],
  ] as const)('for a %s: %j becomes %j', async (reader, printed, shown) => {
    expect(await textOf(shownOutput(Readable.from([Buffer.from(printed)]), reader).stream)).toBe(shown);
  });

  test('its findings are reported, once it is over', async () => {
    const to = new PassThrough();
    const findings = await showTo(
      Readable.from([Buffer.from('a\u001b]52;c;'), Buffer.from('eA==\u0007b\u200bc')]),
      'model',
      to,
    );
    expect(findings.map(({ kind }) => kind)).toEqual(['escape-sequence', 'invisible']);
    expect(to.writableEnded).toBe(false);
  });

  test('a prompt does not wait for its line', async () => {
    const from = new PassThrough();
    const { stream } = shownOutput(from, 'person');
    from.write('Continue? → ');
    await wait(200);
    expect(String(stream.read())).toBe('Continue? → ');
    from.end();
  });

  test('a reader that closes the output early still learns its findings', async () => {
    const from = new PassThrough();
    const to = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    from.write('a\u200bb\n');
    expect((await showTo(from, 'model', to)).map(({ kind }) => kind)).toEqual(['invisible']);
    expect(from.destroyed).toBe(true);
  });

  test('a reader that fails in another way is no reader who has seen enough', async () => {
    const from = new PassThrough();
    const to = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('disk full'), { code: 'ENOSPC' })),
    });
    from.write('a\n');
    await expect(showTo(from, 'model', to)).rejects.toThrow('disk full');
    expect(from.destroyed).toBe(true);
  });

  test('a shown stream that is destroyed closes the output', async () => {
    const from = new PassThrough();
    const { stream } = shownOutput(from, 'model');
    stream.destroy();
    await once(from, 'close');
    expect(from.destroyed).toBe(true);
  });

  test('a stream that fails ends the shown one', async () => {
    const from = new PassThrough();
    const { stream } = shownOutput(from, 'model');
    const ended = textOf(stream);
    from.destroy(new Error('gone'));
    await expect(ended).rejects.toThrow('gone');
  });
});
