import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { ToolDoors, ToolProcess } from './broker/doors.ts';
import { type LoadedTool, parseManifest } from './manifest/load-tool.ts';
import { encodeToolFrame, largestToolPayload } from './protocol/frames.ts';
import { Tool } from './tool.ts';

const loaded: LoadedTool = {
  manifest: parseManifest('name = "t"\nmodule = "t.js"\nkind = "javascript"\ndeadline = 600000', 'tool.toml'),
  module: Buffer.from(''),
  sha256: '',
  language: 'javascript',
};

/** A tool whose program says what the test says, and is there when the test lets it start. */
async function opened() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const state = { ended: 0, sent: '' };
  stdin.on('data', (chunk: Buffer) => (state.sent += chunk.toString('latin1')));
  let end: (of: { exitCode: number; said: string }) => void = () => undefined;
  const process: ToolProcess = {
    stdin,
    stdout,
    ended: new Promise((resolve) => (end = resolve)),
    end: () => ((state.ended += 1), end({ exitCode: 137, said: '' })),
    patience: 600_000,
  };
  let start = (): void => undefined;
  const started = new Promise<ToolProcess>((resolve) => (start = () => resolve(process)));
  const tool = await Tool.open(loaded, { start: () => started, root: '/' } as unknown as ToolDoors);
  const load = (): void => void stdout.write(encodeToolFrame({ kind: 'ready', version: 1 }));
  const become = (): void => void stdout.write(encodeToolFrame({ kind: 'loaded' }));
  return { tool, state, start: () => start(), load, become };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function each(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    step();
    await turn();
  }
}

describe('a call that is cancelled while its box starts', () => {
  test.each(['before the box', 'before it is ready', 'before it has loaded'] as const)(
    '%s runs nothing',
    async (when) => {
      const { tool, state, start, load, become } = await opened();
      const controller = new AbortController();
      const call = tool.call('', { signal: controller.signal });
      call.catch(() => undefined);
      const steps = { 'before the box': [], 'before it is ready': [start], 'before it has loaded': [start, load] }[
        when
      ];
      await each([turn, ...steps]);
      controller.abort(new Error('enough'));
      await each([start, load, become].slice(steps.length));
      await expect(call).rejects.toThrow('enough');
      expect(state.sent).not.toContain('"kind":"run"');
      await tool.close();
      expect(state.ended).toBeGreaterThan(0);
    },
  );
});

test('a tool that is closed while its box starts leaves no box', async () => {
  const { tool, state, start, load } = await opened();
  const call = tool.call();
  call.catch(() => undefined);
  await turn();
  await tool.close();
  start();
  await turn();
  load();
  await expect(call).rejects.toThrow('the tool was closed');
  expect(state.ended).toBeGreaterThan(0);
});

test('an input that is too large starts nothing', async () => {
  const { tool, state } = await opened();
  await expect(tool.call(Buffer.alloc(largestToolPayload + 1))).rejects.toMatchObject({
    code: 'HF_USAGE',
    message: expect.stringContaining(String(largestToolPayload)),
  });
  expect(state.sent).toBe('');
});

test('a later change of an input has no effect', async () => {
  const { tool, state, start, load, become } = await opened();
  const input = Buffer.from('before');
  tool.call(input).catch(() => undefined);
  input.fill(0);
  await each([start, load, become]);
  expect(state.sent).toContain(Buffer.from('before').toString('base64'));
  await tool.close();
});
