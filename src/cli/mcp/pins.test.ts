import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changePins, definitionOf, readPins, seenMark } from '../../trust/pins/pins.ts';
import { eventsIn } from '../testing/events-in.ts';
import { type Ended, scene } from '../testing/run.ts';
import { mcpCommand } from './index.ts';

function pinned(): {
  readonly pins: (...words: readonly string[]) => Promise<Ended>;
  readonly directory: string;
  readonly events: () => Promise<readonly unknown[]>;
} {
  const { run, journal } = scene();
  const directory = join(dirname(journal), 'mcp');
  changePins(directory, 'mail', () => [
    definitionOf('send', '[1]'),
    definitionOf('send', '[2]'),
    definitionOf('read', '[]'),
  ]);
  changePins(directory, 'files', () => [definitionOf('read\u202e', '[]')]);
  return { pins: (...words) => run(mcpCommand, 'pins', ...words), directory, events: () => eventsIn(run) };
}

describe('holdfast mcp pins', () => {
  test('lists the approvals, without invisible characters', async () => {
    const { pins } = pinned();
    const { stdout } = await pins('list');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/u))).toEqual([
      ['files', expect.stringMatching(/^[0-9a-f]{12}$/u), expect.not.stringContaining('\u202e')],
      ['mail', expect.any(String), 'send', 'and 1 that was approved before'],
      ['mail', expect.any(String), 'read'],
      [''],
    ]);
    expect(JSON.parse((await pins('list', 'mail', '--json')).stdout)).toMatchObject({
      servers: [
        { server: 'mail', tools: [{ tool: 'send', approved: true, text: '[1]' }, { text: '[2]' }, { tool: 'read' }] },
      ],
    });
    expect(await pins('list', 'other')).toMatchObject({
      status: 0,
      stdout: 'No approved tools of such a server. Wrap a server: holdfast mcp wrap -- COMMAND\n',
    });
  });

  test('takes an approval back, with a journal entry, and says when there is none', async () => {
    const { pins, events } = pinned();
    expect(await pins('remove', 'mail', 'send')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^removed .+ send\nremoved .+ send\nHoldfast asks about their next definitions/u,
      ) as unknown,
    });
    expect((await pins('list', 'mail')).stdout).toMatch(/withdrawn {5}send\n/u);
    expect(await events()).toMatchObject([
      {
        type: 'trust.decided',
        action: 'revoke',
        files: [{ path: 'mail/send', surface: 'mcp-tool' }, { path: 'mail/send' }],
      },
    ]);
    expect(await pins('remove', 'mail', 'send')).toMatchObject({
      status: 1,
      stdout: 'none of these tools of mail was approved; see `holdfast mcp pins list`\n',
    });
  });

  test('shows no trace of a list that was empty, and forgets it with the server', async () => {
    const { pins, directory } = pinned();
    changePins(directory, 'empty', () => [seenMark('tools')]);
    changePins(directory, 'mail', () => [seenMark('tools'), definitionOf('(prompt) p', '{"name":"p"}')]);
    expect(await pins('list', 'empty')).toMatchObject({
      status: 0,
      stdout: 'No approved tools of such a server. Wrap a server: holdfast mcp wrap -- COMMAND\n',
    });
    expect((await pins('list')).stdout).not.toContain('(tools)');
    expect(await pins('remove', 'mail', '(prompt) p')).toMatchObject({ status: 0 });
    await pins('remove', 'empty');
    expect(readPins(directory).servers.map(({ server }) => server)).not.toContain('empty');
    expect(
      readPins(directory)
        .servers.find(({ server }) => server === 'mail')
        ?.definitions.map(({ tool }) => tool),
    ).toContain('(tools)');
  });

  test('lists the others where the pins of one server are damaged', async () => {
    const { pins, directory } = pinned();
    const before = readdirSync(directory);
    changePins(directory, 'other', () => [definitionOf('t', '{"name":"t"}')]);
    const file = join(
      directory,
      readdirSync(directory).find((name) => !before.includes(name) && name.endsWith('.json')) ?? '',
    );
    writeFileSync(file, '{');
    const { status, stdout } = await pins('list');
    expect(status).toBe(1);
    expect(stdout).toContain('send');
    expect(stdout).toContain(`damaged  ${file} is not JSON`);
    expect(await pins('list', 'mail')).toMatchObject({ status: 0 });
    expect(await pins('remove', 'other')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('the pins of the MCP server other cannot be trusted') as unknown,
    });
    expect(await pins('remove', 'mail', 'send')).toMatchObject({ status: 0 });
  });

  test('forgets a server', async () => {
    const { pins, directory } = pinned();
    expect(JSON.parse((await pins('remove', 'mail', '--json')).stdout)).toMatchObject({
      server: 'mail',
      removed: [{ tool: 'send' }, { tool: 'send' }, { tool: 'read' }],
    });
    expect(readPins(directory).servers.map(({ server }) => server)).toEqual(['files']);
  });

  test.each([[], ['remove'], ['list', 'a', 'b'], ['show']])('takes no other words: %j', async (...words) => {
    expect(await pinned().pins(...words)).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('holdfast mcp pins list [SERVER]') as unknown,
    });
  });

  test('supports --json', async () => {
    expect(await scene().run(mcpCommand, 'wrap', '--json')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('only `holdfast mcp pins` takes --json') as unknown,
    });
  });
});
