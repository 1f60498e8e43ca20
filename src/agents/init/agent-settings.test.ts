import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { pluginText } from './agent-settings.ts';

interface Hooks {
  readonly 'tool.execute.before': (call: object, output: { args: Record<string, unknown> }) => Promise<void>;
  readonly 'tool.execute.after': (call: object, output: { output: unknown }) => Promise<void>;
}

/** The plug-in as OpenCode loads it. The JavaScript `body` answers in place of Holdfast, and `call` holds its input. */
async function plugin(body: string): Promise<Hooks> {
  const directory = scratchDirectory();
  writeFileSync(
    join(directory, 'answer.cjs'),
    `let text = ''; process.stdin.on('data', (part) => { text += part; }).on('end', () => { const call = JSON.parse(text); const words = process.argv.slice(2); ${body} });`,
  );
  const file = join(directory, 'plugin.mjs');
  writeFileSync(file, pluginText([process.execPath, join(directory, 'answer.cjs')]));
  const { Holdfast } = (await import(pathToFileURL(file).href)) as {
    readonly Holdfast: (context: object) => Promise<Hooks>;
  };
  return Holdfast({ directory: '/ws' });
}

const before = async (hooks: Hooks): Promise<Record<string, unknown>> => {
  const output = { args: { command: 'ls', timeout: 5 } as Record<string, unknown> };
  await hooks['tool.execute.before']({ tool: 'bash' }, output);
  return output.args;
};

test('a call goes to the hook as it is, and other arguments take the place of those that were given', async () => {
  const hooks = await plugin(
    `console.log(JSON.stringify({ decision: 'allow', args: { command: [...words, JSON.stringify(call)].join(' ') } }))`,
  );
  expect(await before(hooks)).toEqual({
    command: `hook opencode ${JSON.stringify({ event: 'tool.execute.before', tool: 'bash', args: { command: 'ls', timeout: 5 }, directory: '/ws' })}`,
    timeout: 5,
  });
  expect(await before(await plugin(`console.log('{"decision":"allow"}')`))).toEqual({ command: 'ls', timeout: 5 });
});

test.each<[string, string, RegExp]>([
  ['a refusal', `console.log('{"decision":"deny","reason":"because"}')`, /^because$/u],
  ['an answer without a decision', `console.log('{}')`, /does not answer/u],
  ['no answer', '', /does not answer/u],
  ['what is not JSON', `console.log('allow')`, /does not answer/u],
  ['another status', `console.log('{"decision":"allow"}'); process.exitCode = 1`, /does not answer/u],
  [
    'a program that dies',
    `console.log('{"decision":"allow"}'); process.kill(process.pid, 'SIGKILL')`,
    /does not answer/u,
  ],
])('%s stops the tool', async (_name, body, message) => {
  await expect(before(await plugin(body))).rejects.toThrow(message);
});

test('a program that is gone stops the tool', async () => {
  const file = join(scratchDirectory(), 'plugin.mjs');
  writeFileSync(file, pluginText(['/nowhere/holdfast']));
  const { Holdfast } = (await import(pathToFileURL(file).href)) as {
    readonly Holdfast: (context: object) => Promise<Hooks>;
  };
  await expect(before(await Holdfast({ directory: '/ws' }))).rejects.toThrow(/does not answer/u);
});

test('a result is replaced; without text or a listener there is no request', async () => {
  const replacing = await plugin(
    `console.log(JSON.stringify({ decision: 'allow', output: call.event + call.output }))`,
  );
  const output = { output: 'seen' as unknown };
  await replacing['tool.execute.after']({ tool: 'read', args: { filePath: 'x' } }, output);
  expect(output.output).toBe('tool.execute.afterseen');
  const picture = { output: undefined };
  await replacing['tool.execute.after']({ tool: 'read', args: {} }, picture);
  expect(picture.output).toBeUndefined();
  await expect(
    (await plugin('process.exitCode = 3'))['tool.execute.after']({ tool: 'read' }, { output: 'x' }),
  ).rejects.toThrow(/does not answer/u);
});
