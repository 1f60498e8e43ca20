import { expect, test } from 'vitest';
import { serveLimits } from '../../src/serve/limits.ts';
import { ps } from '../../src/serve/requests/index.ts';
import type { Call } from '../../src/serve/server/open-call.ts';
import type { ServerState } from '../../src/serve/requests/request-kind.ts';

test('the most commands of a server are listed in one message, the oldest of them, and the others are counted', async () => {
  const commands = Array.from({ length: serveLimits.commands }, (_, number) => ({
    id: `c${number + 1}`,
    session: 'build',
    argv: ['node', '\u0001'.repeat(2000)],
    askedAt: 0,
    state: 'queued',
    streams: 'pipes',
    attached: 0,
  }));
  const runs = Array.from({ length: 256 }, (_, pid) => ({
    pid,
    words: ['\u0001'.repeat(2000)],
    cwd: `/${'\u0001'.repeat(4000)}`,
    askedAt: 0,
  }));
  const state = {
    sessions: { list: async () => [] },
    commands: { list: () => commands },
    runs: () => runs,
    startedAt: 0,
  } as unknown as ServerState;
  const answer = await ps.answer({ kind: 'ps' }, {} as Call, state);
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(serveLimits.message);
  expect(answer.commands[0]).toMatchObject({ id: 'c1', argv: ['node', expect.stringMatching(/^.{507}…$/u)] });
  expect(answer.commands.length).toBeGreaterThan(100);
  expect(answer.runs.length).toBeGreaterThan(5);
  expect(answer.leftOut).toBe(serveLimits.commands - answer.commands.length);
});
