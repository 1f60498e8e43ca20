import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import type { ApprovalQueue, ApprovalOutcome } from '../types.ts';
import { createApprovalQueue, mostCharacters, mostWaiting } from './approval-queue.ts';
import { fakeClock } from './testing/fake-clock.ts';
import { subject, writing } from './testing/subjects.ts';

function filled(count: number): {
  readonly queue: ApprovalQueue;
  readonly outcomes: readonly Promise<ApprovalOutcome>[];
} {
  const queue = createApprovalQueue({
    session: 's1',
    workspace: '/home/dev/app',
    clock: fakeClock(),
    journal: () => undefined,
  });
  return {
    queue,
    outcomes: Array.from({ length: count }, (_, index) =>
      queue.ask(subject(writing(`/home/dev/app/${index}`), `rule-${index % 100}`)),
    ),
  };
}

describe('ten thousand questions', () => {
  test('wait at once, and one more is denied', { timeout: 120_000 }, async () => {
    const { queue, outcomes } = filled(mostWaiting);
    expect(queue.pending()).toHaveLength(10_000);
    expect(new Set(queue.pending().map(({ id }) => id)).size).toBe(10_000);
    expect(await queue.ask(subject(writing('/home/dev/app/more')))).toEqual({
      kind: 'denied',
      because: 'full',
      message: '10000 requests already wait for an answer, so it was denied',
    });
    for (const { hash } of queue.pending()) queue.answer({ hash, decision: 'once', channel: 'terminal' });
    for (const outcome of await Promise.all(outcomes)) expect(outcome.kind).toBe('allowed');
    const again = queue.ask(subject());
    queue.close();
    expect(await again).toMatchObject({ because: 'closed' });
  });

  test('are counted by callers: ten thousand that ask the same leave no room either', async () => {
    const { queue } = filled(0);
    for (let index = 0; index < mostWaiting; index += 1) void queue.ask(subject());
    expect(queue.pending()).toMatchObject([{ waiting: 10_000 }]);
    expect(await queue.ask(subject())).toMatchObject({ because: 'full' });
  });

  test('of great length use bounded memory, and give it back', async () => {
    const queue = createApprovalQueue({
      session: 's1',
      workspace: '/home/dev/app',
      clock: fakeClock(),
      journal: () => undefined,
      present: () => ({ kind: 'shown', title: 'long', lines: Array.from({ length: 1000 }, () => 'x'.repeat(76)) }),
    });
    const outcomes = Array.from({ length: 300 }, (_, index) => queue.ask(subject(writing(`/home/dev/app/${index}`))));
    const waiting = queue.pending().length;
    expect(waiting).toBe(Math.ceil(mostCharacters / 76_000));
    expect(await outcomes.at(-1)).toEqual({
      kind: 'denied',
      because: 'full',
      message: 'the waiting questions already have 16777216 characters, so it was denied',
    });
    const joined = queue.ask(subject(writing('/home/dev/app/0')));
    queue.answer({ hash: queue.pending()[0]?.hash ?? '', decision: 'once', channel: 'terminal' });
    expect(await joined).toMatchObject({ kind: 'allowed' });
    void queue.ask(subject(writing('/home/dev/app/more')));
    expect(queue.pending()).toHaveLength(waiting);
  });

  test('have no rule proposed beyond the first hundred', () => {
    let proposals = 0;
    const always = {
      propose: () => {
        proposals += 1;
        return { file: 'policy.toml', text: '' };
      },
      write: () => undefined,
    };
    const queue = createApprovalQueue({
      session: 's1',
      workspace: '/home/dev/app',
      clock: fakeClock(),
      journal: () => undefined,
      always,
    });
    for (let index = 0; index < 1000; index += 1) void queue.ask(subject(writing(`/home/dev/app/${index}`)));
    expect([proposals, queue.pending().filter((question) => question.always !== undefined).length]).toEqual([100, 100]);
  });

  // Work per waiting question would grow with the square of their number.
  test('slow neither asking nor answering', { timeout: 120_000 }, async () => {
    const askAndAnswer = (count: number): void => {
      const { queue } = filled(count);
      for (const { hash } of queue.pending()) queue.answer({ hash, decision: 'once', channel: 'terminal' });
    };
    expect(await growth(askAndAnswer, 3200)).toBeLessThan(linear);
  });

  test('slow to look at', { timeout: 120_000 }, async () => {
    const queues = new Map([500, 8000].map((count) => [count, filled(count).queue]));
    expect(await growth((count) => queues.get(count)?.pending(), 8000)).toBeLessThan(linear);
  });
});
