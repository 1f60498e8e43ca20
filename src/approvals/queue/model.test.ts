import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApprovalDecision, ApprovalQueue, ApprovalOutcome, ApprovalSubject } from '../types.ts';
import { createApprovalQueue } from './approval-queue.ts';
import { firstPause, longestPause } from './back-off.ts';
import type { ApprovalEvent } from './options.ts';
import { fakeClock, type FakeClock } from './testing/fake-clock.ts';
import { subject, writing } from './testing/subjects.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const timeout = 60_000;
const [pauseFrom, lockFrom] = [3, 10];

/** One request of each kind, under two rules. */
const subjects: readonly ApprovalSubject[] = Array.from({ length: 6 }, (_, index) =>
  subject(writing(`/home/dev/app/${index}`), `rule-${index % 2}`),
);

interface Ask {
  readonly promise: Promise<ApprovalOutcome>;
  outcome: ApprovalOutcome | undefined;
}

interface Pauses {
  denials: number;
  until: number;
}

/** The expected state of the queue, in the plainest form. */
interface Model {
  readonly waiting: Map<number, { readonly asks: Ask[]; readonly expires: number }>;
  readonly session: Set<number>;
  readonly requests: Map<number, Pauses>;
  readonly rules: Map<number, Pauses>;
  readonly silences: Map<number, Pauses & { noted: number }>;
  readonly all: { readonly ask: Ask; readonly expected: () => string }[];
  state: 'open' | 'closed';
}

interface Real {
  readonly queue: ApprovalQueue;
  readonly clock: FakeClock;
  readonly events: ApprovalEvent[];
  readonly hashes: Map<string, number>;
}

type Step = fc.AsyncCommand<Model, Real>;

/** Outcomes as words, expected and actual. */
function wordOf(outcome: ApprovalOutcome | undefined): string {
  if (outcome === undefined) return 'waits';
  return outcome.kind === 'allowed' ? `allowed ${outcome.decision}` : `denied ${outcome.because}`;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Compares all visible state of the queue with the model. */
function compare(model: Model, { queue, events, hashes }: Real): void {
  expect(queue.pending().map(({ hash }) => hashes.get(hash))).toEqual([...model.waiting.keys()]);
  for (const { hash, waiting, id } of queue.pending()) {
    expect(waiting).toBe(model.waiting.get(hashes.get(hash) ?? -1)?.asks.length);
    expect(hash.startsWith(id)).toBe(true);
  }
  for (const { ask, expected } of model.all) expect(wordOf(ask.outcome)).toBe(expected());
  // No question is resolved more often than it was asked, except for denials without a question.
  const asked = events.filter(({ type }) => type === 'approval.requested').length;
  const resolved = events.filter(
    (event) =>
      event.type === 'approval.resolved' &&
      event.because !== 'repeated' &&
      !(event.because === 'closed' && event.waited === 0),
  ).length;
  expect(resolved).toBeLessThanOrEqual(asked);
}

function isPaused(pause: Pauses | undefined, now: number): boolean {
  return pause !== undefined && now < pause.until;
}

function note(pauses: Map<number, Pauses>, key: number, at: { readonly now: number; readonly from: number }): void {
  const pause = pauses.get(key) ?? { denials: 0, until: 0 };
  pause.denials += 1;
  if (pause.denials >= at.from)
    pause.until = at.now + Math.min(longestPause, firstPause * 2 ** (pause.denials - at.from));
  pauses.set(key, pause);
}

/** Counts once for all questions that were asked before it was last noted. */
function noteSilence(
  { silences }: Model,
  rule: number,
  { asked, now }: { readonly asked: number; readonly now: number },
): void {
  const silence = silences.get(rule) ?? { denials: 0, until: 0, noted: -1 };
  silences.set(rule, silence);
  if (asked < silence.noted) return;
  silence.noted = now;
  note(silences, rule, { now, from: pauseFrom });
}

class Asks implements Step {
  readonly #which: number;
  constructor(which: number) {
    this.#which = which;
  }
  check = (): boolean => true;
  toString = (): string => `ask ${this.#which}`;
  async run(model: Model, real: Real): Promise<void> {
    const which = this.#which;
    const [known, now] = [model.waiting.get(which), real.clock.elapsed()];
    const ask: Ask = { promise: real.queue.ask(subjects[which]!), outcome: undefined };
    void ask.promise.then((outcome) => {
      ask.outcome = outcome;
    });
    const rule = model.rules.get(which % 2);
    if (model.state === 'closed') model.all.push({ ask, expected: () => 'denied closed' });
    else if (model.session.has(which)) model.all.push({ ask, expected: () => 'allowed session' });
    else if (known !== undefined) wait(model, ask, known.asks);
    else if (
      (rule?.denials ?? 0) >= lockFrom ||
      isPaused(rule, now) ||
      isPaused(model.requests.get(which), now) ||
      isPaused(model.silences.get(which % 2), now)
    )
      model.all.push({ ask, expected: () => 'denied repeated' });
    else {
      const asks: Ask[] = [];
      model.waiting.set(which, { asks, expires: now + timeout });
      for (const { hash, title } of real.queue.pending())
        if (title.includes(`/home/dev/app/${which}`)) real.hashes.set(hash, which);
      wait(model, ask, asks);
    }
    await settle();
    compare(model, real);
  }
}

const ends = new WeakMap<Ask, string>();

function wait(model: Model, ask: Ask, asks: Ask[]): void {
  asks.push(ask);
  model.all.push({ ask, expected: () => ends.get(ask) ?? 'waits' });
}

function end(model: Model, which: number, word: string): void {
  for (const ask of model.waiting.get(which)?.asks ?? []) ends.set(ask, word);
  model.waiting.delete(which);
}

class Answers implements Step {
  readonly #which: number;
  readonly #decision: ApprovalDecision;
  constructor(which: number, decision: ApprovalDecision) {
    this.#which = which;
    this.#decision = decision;
  }
  check = (): boolean => true;
  toString = (): string => `${this.#decision} ${this.#which}`;
  async run(model: Model, real: Real): Promise<void> {
    const [which, decision] = [this.#which, this.#decision];
    const hash = [...real.hashes].find(([, number]) => number === which)?.[0] ?? 'f'.repeat(64);
    const result = real.queue.answer({ hash, decision, channel: 'terminal' });
    if (!model.waiting.has(which)) expect(result).toEqual({ kind: 'unknown' });
    else if (decision === 'always') expect(result).toMatchObject({ kind: 'refused' });
    else {
      expect(result).toEqual({ kind: 'taken' });
      model.silences.delete(which % 2);
      this.#take(model, real.clock.elapsed());
    }
    await settle();
    compare(model, real);
  }
  #take(model: Model, now: number): void {
    const which = this.#which;
    if (this.#decision === 'deny') {
      end(model, which, 'denied answer');
      note(model.requests, which, { now, from: 1 });
      note(model.rules, which % 2, { now, from: pauseFrom });
      if ((model.rules.get(which % 2)?.denials ?? 0) >= lockFrom)
        for (const other of model.waiting.keys()) if (other % 2 === which % 2) end(model, other, 'denied repeated');
      return;
    }
    end(model, which, `allowed ${this.#decision}`);
    if (this.#decision === 'session') model.session.add(which);
    model.requests.delete(which);
    model.rules.delete(which % 2);
  }
}

class Passes implements Step {
  readonly #milliseconds: number;
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }
  check = (): boolean => true;
  toString = (): string => `wait ${this.#milliseconds}`;
  async run(model: Model, real: Real): Promise<void> {
    real.clock.advance(this.#milliseconds);
    for (const [which, { expires }] of model.waiting) {
      if (expires > real.clock.elapsed()) continue;
      end(model, which, 'denied time-out');
      noteSilence(model, which % 2, { asked: expires - timeout, now: expires });
    }
    await settle();
    compare(model, real);
  }
}

class Closes implements Step {
  check = (): boolean => true;
  toString = (): string => 'close';
  async run(model: Model, real: Real): Promise<void> {
    real.queue.close();
    model.state = 'closed';
    for (const which of model.waiting.keys()) end(model, which, 'denied closed');
    await settle();
    compare(model, real);
  }
}

const which = fc.nat(subjects.length - 1);
const steps = [
  which.map((index): Step => new Asks(index)),
  fc
    .tuple(which, fc.constantFrom<ApprovalDecision>('once', 'session', 'always', 'deny', 'deny'))
    .map(([index, decision]): Step => new Answers(index, decision)),
  fc.constantFrom(1, 9999, 10_000, 30_000, 60_000, 600_000).map((milliseconds): Step => new Passes(milliseconds)),
  // Rare, or most runs would be over before they have begun.
  fc.nat(40).map((number): Step => (number === 0 ? new Closes() : new Passes(1))),
];

test('any sequence of questions, answers and waits behaves like the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: '+1' }), async (commands) => {
      const clock = fakeClock();
      const events: ApprovalEvent[] = [];
      const queue = createApprovalQueue({
        session: 's1',
        workspace: '/home/dev/app',
        clock,
        timeout,
        journal: (event) => events.push(event),
      });
      const model: Model = {
        waiting: new Map(),
        session: new Set(),
        requests: new Map(),
        rules: new Map(),
        silences: new Map(),
        all: [],
        state: 'open',
      };
      await fc.asyncModelRun(() => ({ model, real: { queue, clock, events, hashes: new Map() } }), commands);
    }),
    { numRuns: rounds(300) },
  );
});
