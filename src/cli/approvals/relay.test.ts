import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServerMessage } from '../../approvals/socket/messages.ts';
import { hashOf } from '../../approvals/socket/testing/served.ts';
import { longestSilence, relayAnswers } from './relay.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function relay() {
  const answers = new PassThrough();
  const said: ServerMessage[] = [];
  const silent = vi.fn();
  const given: unknown[] = [];
  const answer = (one: unknown) => {
    given.push(one);
    return Promise.resolve({ kind: 'taken' } as const);
  };
  const ended = relayAnswers({ answer }, { answers, say: (message) => said.push(message), silent });
  return { answers, said, silent, given, ended };
}

test('a relay that hears nothing for 45 seconds ends, so that its questions wait for nobody', async () => {
  const { answers, silent, ended } = relay();
  vi.advanceTimersByTime(longestSilence - 1);
  expect(silent).not.toHaveBeenCalled();
  // A sign of life starts the time again.
  answers.write('\n');
  await setImmediate();
  vi.advanceTimersByTime(longestSilence - 1);
  expect(silent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(silent).toHaveBeenCalledOnce();
  answers.end();
  await ended;
});

test('a relay whose input has ended leaves no timer behind', async () => {
  const { answers, silent, ended } = relay();
  answers.end();
  await ended;
  vi.advanceTimersByTime(10 * longestSilence);
  expect(silent).not.toHaveBeenCalled();
});

test('an answer goes to its question, and its result comes back', async () => {
  const { answers, said, given, ended } = relay();
  answers.end(`${JSON.stringify({ kind: 'answer', number: 7, hash: hashOf(1), decision: 'once' })}\n`);
  await ended;
  expect(given).toEqual([{ hash: hashOf(1), decision: 'once' }]);
  expect(said).toEqual([{ kind: 'answered', number: 7, result: { kind: 'taken' } }]);
});
