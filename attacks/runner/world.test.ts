import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeArena, removeArena } from './arena.ts';
import type { Attack } from './attack.ts';
import { loadAttacks, selectTrials } from './catalogue.ts';
import { buildTools } from './installation.ts';
import { performTrial } from './perform.ts';
import { startWatched } from './watched.ts';
import { listenersOf, startWorld } from './world.ts';

const fixtures = resolve(import.meta.dirname, 'testing');
const isRoot = process.getuid?.() === 0;
let tools: string;
beforeAll(() => {
  tools = buildTools(resolve(import.meta.dirname, '../programs'));
});

function fixture(): Attack {
  const attack = loadAttacks(fixtures).find(({ name }) => name === 'net-open-door');
  if (attack === undefined) throw new Error('the fixture is gone');
  return attack;
}

/** The output of a shell script in the world. */
async function runIn(pid: number, script: string): Promise<string> {
  const log = join(mkdtempSync(join(tmpdir(), 'holdfast-world-')), 'log');
  writeFileSync(log, '');
  const watched = startWatched({
    tools,
    uid: undefined,
    world: pid,
    argv: ['sh', '-c', script],
    cwd: tmpdir(),
    environment: { PATH: process.env['PATH'] ?? '' },
    log,
    timeout: 5000,
  });
  await watched.ended;
  await watched.reap();
  return readFileSync(log, 'utf8');
}

describe('a world', () => {
  test('is a machine of its own, with an internet that answers at every address; or is known to need root', async () => {
    const attack = fixture();
    const trial = selectTrials([attack], { only: [], users: ['user'] })[0];
    if (trial === undefined) throw new Error('the fixture has no trial');
    if (!isRoot) {
      const results = await performTrial(trial, {
        tools,
        holdfast: '/nowhere',
        backends: new Map([['native', undefined]]),
      });
      expect(results).toEqual([
        expect.objectContaining({
          control: 'not run',
          outcome: { kind: 'skipped', reason: expect.stringContaining('needs root') },
        }),
      ]);
      return;
    }
    const arena = makeArena(attack, 'root', tools);
    const hosts = readFileSync('/etc/hosts', 'utf8');
    const world = await startWorld(attack, arena);
    try {
      const pid = world?.pid ?? -1;
      expect(await runIn(pid, 'curl -s -m 2 http://test.example/')).toBe(
        `from 93.184.216.34 for test.example: ${arena.canary}\n`,
      );
      expect(await runIn(pid, 'curl -sg -m 2 "http://[2606:2800:220::9]/"')).toContain('from 2606:2800:220::9 for');
      expect(await runIn(pid, 'cat /etc/hosts')).toContain('machine.example');
      expect(readFileSync('/etc/hosts', 'utf8')).toBe(hosts);
      expect(readFileSync(join(arena.root, 'world/heard'), 'utf8')).toContain('query test.example 1\n');
      expect(readFileSync(join(arena.root, 'world/wire')).includes('Host: test.example')).toBe(true);
      expect(listenersOf(world)).toEqual([]);
      const service = startWatched({
        tools,
        uid: undefined,
        world: pid,
        argv: [join(tools, 'listen'), 'tcp', '127.0.0.1', '/dev/null'],
        cwd: tmpdir(),
        environment: {},
        log: join(arena.root, 'log'),
        timeout: 5000,
      });
      await service.ended;
      expect(listenersOf(world)).toEqual([expect.stringMatching(/^tcp 0100007F:[\dA-F]{4}$/u)]);
      await service.end();
      expect(() => world?.check()).not.toThrow();
    } finally {
      world?.end();
      await removeArena(arena);
    }
  });

  test.each([
    ['no-holdfast', ['the attack succeeded inside the box', 'this row of it: literal']],
    [
      'nothing-works',
      [
        'what the policy allows did not work either: ',
        'its row granted was not tried: ',
        'its row literal was not tried: ',
      ],
    ],
  ])('rows: with %s for Holdfast they are reported by name', async (holdfast, reasons) => {
    const trials = selectTrials([fixture()], { only: [], users: [isRoot ? 'root' : 'user'] });
    const results = (
      await Promise.all(
        trials.map((trial) =>
          performTrial(trial, {
            tools,
            holdfast: join(fixtures, holdfast),
            backends: new Map([['native', undefined]]),
          }),
        ),
      )
    ).flat();
    expect(results.map(({ outcome }) => outcome)).toEqual([
      isRoot
        ? { kind: 'failed', reasons: reasons.map((reason) => expect.stringContaining(reason)) }
        : { kind: 'skipped', reason: expect.stringContaining('needs root') },
    ]);
  });
});
