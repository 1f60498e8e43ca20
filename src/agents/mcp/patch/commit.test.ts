import { describe, expect, test } from 'vitest';
import { commitPatch, type Target } from '../tools/apply-patch.ts';

/** Files in memory. Calls for which `refuses` is true fail, as they would in the kernel. */
class Memory {
  readonly files = new Map<string, string>([
    ['a', 'one'],
    ['b', 'two'],
    ['c', 'three'],
  ]);
  readonly refuses: (call: string) => boolean;
  readonly calls: string[] = [];

  constructor(refuses: (call: string) => boolean) {
    this.refuses = refuses;
  }

  exists(path: string | Uint8Array): Promise<boolean> {
    return Promise.resolve(
      [...this.files.keys()].some((name) => name === text(path) || name.startsWith(`${text(path)}/`)),
    );
  }

  async write(path: string | Uint8Array, data: unknown): Promise<void> {
    this.#called(`write ${text(path)} ${String(data)}`);
    this.files.set(text(path), String(data));
    await Promise.resolve();
  }

  async remove(path: string | Uint8Array): Promise<void> {
    this.#called(`remove ${text(path)}`);
    this.files.delete(text(path));
    await Promise.resolve();
  }

  #called(call: string): void {
    this.calls.push(call);
    if (this.refuses(call)) throw new Error(`no: ${call}`);
  }
}

const text = (path: string | Uint8Array): string => Buffer.from(path).toString();
const target = (path: string, before: string | undefined, after: string | undefined): Target => ({
  path,
  before: before === undefined ? undefined : { content: Buffer.from(before), mode: 0o644 },
  after: after === undefined ? undefined : Buffer.from(after),
});
const five = [
  target('c', 'three', undefined),
  target('a', 'one', 'ONE'),
  target('new/x/file', undefined, 'x'),
  target('b', 'two', 'TWO'),
  target('last', undefined, 'y'),
];

describe('files of one patch', () => {
  test('are all written, and removals come last', async () => {
    const memory = new Memory(() => false);
    await commitPatch(memory, five);
    expect([...memory.files]).toEqual([
      ['a', 'ONE'],
      ['b', 'TWO'],
      ['new/x/file', 'x'],
      ['last', 'y'],
    ]);
    expect(memory.calls.at(-1)).toBe('remove c');
  });

  test.each(['write a ONE', 'write new/x/file x', 'write b TWO', 'write last y', 'remove c'])(
    'are unchanged after a failure of `%s`, and new directories are removed',
    async (refused) => {
      const memory = new Memory((call) => call === refused);
      const before = new Map(memory.files);
      await expect(commitPatch(memory, five)).rejects.toThrow(`no: ${refused}`);
      expect(memory.files).toEqual(before);
      expect(memory.calls.slice(-2)).toEqual(['remove new/x', 'remove new']);
    },
  );

  test('that cannot be restored are named', async () => {
    const memory = new Memory((call) => ['write last y', 'write a one'].includes(call));
    await expect(commitPatch(memory, five)).rejects.toMatchObject({
      code: 'HF_STATE_UNWRITABLE',
      message: expect.stringMatching(/restored: a$/u) as unknown,
    });
    expect([...memory.files]).toEqual([
      ['a', 'ONE'],
      ['b', 'two'],
      ['c', 'three'],
    ]);
  });
});
