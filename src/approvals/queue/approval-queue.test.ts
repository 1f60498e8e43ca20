import { describe, expect, test, vi } from 'vitest';
import type { ApprovalDecision, ApprovalQueue, ApprovalOutcome, QueueChange, ApprovalSubject } from '../types.ts';
import { createApprovalQueue } from './approval-queue.ts';
import type { ApprovalEvent, ApprovalQueueOptions } from './options.ts';
import { fakeClock, type FakeClock } from './testing/fake-clock.ts';
import { askingVerdict, subject, writing } from './testing/subjects.ts';

interface Scene {
  readonly queue: ApprovalQueue;
  readonly clock: FakeClock;
  readonly events: ApprovalEvent[];
  readonly changes: QueueChange[];
}

function scene(options: Partial<ApprovalQueueOptions> = {}): Scene {
  const clock = fakeClock();
  const events: ApprovalEvent[] = [];
  const queue = createApprovalQueue({
    session: 's1',
    workspace: '/home/dev/app',
    clock,
    journal: (event) => events.push(event),
    ...options,
  });
  const changes: QueueChange[] = [];
  queue.subscribe((change) => changes.push(change));
  return { queue, clock, events, changes };
}

function onlyHash(queue: ApprovalQueue): string {
  const [first, ...more] = queue.pending();
  if (first === undefined || more.length > 0)
    throw new Error(`expected one question, there are ${queue.pending().length}`);
  return first.hash;
}

function answerAll(queue: ApprovalQueue, decision: ApprovalDecision): void {
  for (const { hash } of queue.pending()) queue.answer({ hash, decision, channel: 'terminal' });
}

/** Undefined while it waits. */
async function settled(promise: Promise<ApprovalOutcome>): Promise<ApprovalOutcome | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))]);
}

describe('a question', () => {
  test('shows everything that a person has to know', () => {
    const { queue, clock } = scene();
    void queue.ask(subject());
    expect(queue.pending()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{12}$/u),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
        session: 's1',
        workspace: '/home/dev/app',
        title: expect.stringContaining('/home/dev/app/migrations/1.sql'),
        lines: expect.any(Array),
        rule: 'ask-migrations',
        file: '~/.config/holdfast/policy.toml',
        line: 3,
        message: 'it waits for approval: ask-migrations says so',
        remedy: 'approve it when asked',
        askedAt: clock.now(),
        expiresAt: clock.now() + 60_000,
        confirmation: 'none',
        waiting: 1,
      },
    ]);
    expect(queue.pending()[0]?.hash.startsWith(queue.pending()[0]?.id ?? 'none')).toBe(true);
  });

  test('never moves the cursor, at any place', () => {
    const evil = 'a\u001b[2J\u202eb';
    const { queue } = scene({ workspace: `/home/${evil}`, present: () => ({ kind: 'shown', title: 't', lines: [] }) });
    void queue.ask({
      ...subject(),
      verdict: askingVerdict(`rule ${evil}`, { file: evil, message: evil, remedy: evil }),
    });
    const shown = String.raw`a\u{1b}[2J\u{202e}b`;
    expect(queue.pending()[0]).toMatchObject({
      rule: `rule ${shown}`,
      file: shown,
      message: shown,
      remedy: shown,
      workspace: `/home/${shown}`,
    });
  });

  test('is in the journal before anybody sees it, and its answer before the caller goes on', async () => {
    const order: string[] = [];
    const queue = createApprovalQueue({
      session: 's1',
      workspace: '/home/dev/app',
      clock: fakeClock(),
      journal: ({ type }) => order.push(type),
    });
    queue.subscribe(({ kind }) => order.push(kind));
    const outcome = queue.ask(subject()).then(() => order.push('goes on'));
    answerAll(queue, 'once');
    await outcome;
    expect(order).toEqual(['approval.requested', 'asked', 'approval.resolved', 'resolved', 'goes on']);
  });

  test('is journalled with its request, its text and its answer', async () => {
    const { queue, clock, events } = scene();
    const outcome = queue.ask(subject());
    clock.advance(1500);
    const hash = onlyHash(queue);
    queue.answer({ hash, decision: 'session', channel: 'dashboard' });
    await outcome;
    const common = { session: 's1', workspace: '/home/dev/app', hash };
    expect(events).toEqual([
      {
        type: 'approval.requested',
        ...common,
        request: subject().request,
        verdict: askingVerdict(),
        title: expect.any(String),
      },
      { type: 'approval.resolved', ...common, decision: 'session', channel: 'dashboard', waited: 1500 },
    ]);
  });

  test('about a tool shows its arguments, and leaves a hash of them in the journal', () => {
    const { queue, events } = scene();
    void queue.ask({
      ...subject(),
      request: { kind: 'tool', server: 'mail', tool: 'send', arguments: '{"text":"PASSWORD"}' },
    });
    expect(queue.pending()[0]?.lines.join('')).toContain('PASSWORD');
    expect(events).toMatchObject([
      {
        type: 'approval.requested',
        request: { server: 'mail', tool: 'send', arguments: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('PASSWORD');
  });

  test('that the journal cannot record is denied, and not shown', async () => {
    const { queue, changes } = scene({
      journal: () => {
        throw new Error('no space left on the device');
      },
    });
    expect(await queue.ask(subject())).toEqual({
      kind: 'denied',
      because: 'failure',
      message: 'it could not be asked (no space left on the device), so it was denied',
    });
    expect([queue.pending(), changes]).toEqual([[], []]);
  });

  test.each(['once', 'session', 'deny'] as const)(
    'whose answer "%s" the journal cannot take is denied',
    async (decision) => {
      const journal = vi.fn<(event: ApprovalEvent) => void>().mockImplementation(({ type }) => {
        if (type === 'approval.resolved') throw new Error('the disk is full\u001b[2J');
      });
      const { queue } = scene({ journal });
      const outcome = queue.ask(subject());
      queue.answer({ hash: onlyHash(queue), decision, channel: 'terminal' });
      expect(await outcome).toMatchObject({
        kind: 'denied',
        because: 'failure',
        message: expect.stringContaining('the disk is full\\u{1b}[2J'),
      });
      const again = queue.ask(subject());
      expect(await settled(again)).not.toMatchObject({ kind: 'allowed' });
    },
  );
});

describe('an answer', () => {
  test.each(['once', 'session'] as const)('"%s" lets everybody through who waited for it', async (decision) => {
    const { queue } = scene();
    const outcomes = [queue.ask(subject()), queue.ask(subject()), queue.ask(subject())];
    expect(queue.pending()[0]?.waiting).toBe(3);
    expect(queue.answer({ hash: onlyHash(queue), decision, channel: 'prompt' })).toEqual({ kind: 'taken' });
    for (const outcome of await Promise.all(outcomes))
      expect(outcome).toEqual({ kind: 'allowed', decision, channel: 'prompt' });
    expect(queue.pending()).toEqual([]);
  });

  test('"once" is used up', async () => {
    const { queue } = scene();
    const first = queue.ask(subject());
    answerAll(queue, 'once');
    await first;
    expect(await settled(queue.ask(subject()))).toBeUndefined();
    expect(queue.pending()).toHaveLength(1);
  });

  test('"session" is remembered for exactly the same request', async () => {
    const { queue, events } = scene();
    const first = queue.ask(subject());
    answerAll(queue, 'session');
    await first;
    expect(await settled(queue.ask(subject()))).toEqual({ kind: 'allowed', decision: 'session', channel: 'terminal' });
    expect(events).toHaveLength(2);
    const others: readonly ApprovalSubject[] = [
      subject(writing('/home/dev/app/migrations/2.sql')),
      subject(undefined, 'other-rule'),
      { ...subject(), details: ['it uses the credential github'] },
      { ...subject(), verdict: askingVerdict('ask-migrations', { message: 'another reason' }) },
    ];
    for (const other of others) expect(await settled(queue.ask(other))).toBeUndefined();
  });

  test('of another session does not count', () => {
    const [one, two] = [scene(), scene({ session: 's2' })];
    void one.queue.ask(subject());
    void two.queue.ask(subject());
    expect(two.queue.answer({ hash: onlyHash(one.queue), decision: 'once', channel: 'terminal' })).toEqual({
      kind: 'unknown',
    });
    expect(two.queue.pending()).toHaveLength(1);
  });

  test.each([
    ['a hash that never was', (hash: string) => hash.replaceAll(/./gu, '0')],
    ['the identifier alone', (hash: string) => hash.slice(0, 12)],
    ['capital digits', (hash: string) => hash.toUpperCase()],
    ['nothing', () => ''],
  ])('to %s changes nothing', (...[, change]) => {
    const { queue, events } = scene();
    void queue.ask(subject({ kind: 'env', name: 'HOME' }));
    expect(queue.answer({ hash: change(onlyHash(queue)), decision: 'once', channel: 'terminal' })).toEqual({
      kind: 'unknown',
    });
    expect([queue.pending().length, events.length]).toEqual([1, 1]);
  });

  test('that comes late or twice is unknown', async () => {
    const { queue, clock } = scene();
    const first = queue.ask(subject());
    const hash = onlyHash(queue);
    clock.advance(60_000);
    expect(await first).toMatchObject({ kind: 'denied', because: 'time-out' });
    expect(queue.answer({ hash, decision: 'once', channel: 'webhook' })).toEqual({ kind: 'unknown' });
    const second = queue.ask(subject());
    expect(queue.answer({ hash, decision: 'once', channel: 'webhook' })).toEqual({ kind: 'taken' });
    expect(queue.answer({ hash, decision: 'deny', channel: 'terminal' })).toEqual({ kind: 'unknown' });
    expect(await second).toMatchObject({ kind: 'allowed' });
  });

  test.each(['yes', 'allow', '', 'ONCE', 'constructor'])('with the unknown word %j is refused', (decision) => {
    const { queue } = scene();
    void queue.ask(subject());
    expect(
      queue.answer({ hash: onlyHash(queue), decision: decision as ApprovalDecision, channel: 'editor' }),
    ).toMatchObject({ kind: 'refused' });
    expect(queue.pending()).toHaveLength(1);
  });
});

describe('time', () => {
  test.each([
    [undefined, 60_000, '60 s'],
    [1000, 1000, '1 s'],
    [90_500, 90_500, '91 s'],
  ] as const)('a time-out of %s denies after %i ms and says so', async (timeout, milliseconds, words) => {
    const { queue, clock } = scene(timeout === undefined ? {} : { timeout });
    const outcome = queue.ask(subject());
    clock.advance(milliseconds - 1);
    expect(await settled(outcome)).toBeUndefined();
    clock.advance(1);
    expect(await outcome).toEqual({
      kind: 'denied',
      because: 'time-out',
      message: `nobody answered within ${words}, so it was denied`,
    });
  });

  test('a joined question waits no longer than its first', async () => {
    const { queue, clock } = scene();
    const first = queue.ask(subject());
    clock.advance(59_000);
    const second = queue.ask(subject());
    clock.advance(1000);
    expect(await Promise.all([first, second])).toMatchObject([{ because: 'time-out' }, { because: 'time-out' }]);
  });

  test.each([-86_400_000, 86_400_000])(
    'a clock that is set by %i ms neither ends nor prolongs the waiting',
    async (jump) => {
      const { queue, clock, events } = scene();
      const outcome = queue.ask(subject());
      clock.set(clock.now() + jump);
      clock.advance(59_999);
      expect(await settled(outcome)).toBeUndefined();
      clock.advance(1);
      expect(await outcome).toMatchObject({ because: 'time-out' });
      expect(events.at(-1)).toMatchObject({ waited: expect.toSatisfy((waited: number) => waited >= 0) });
    },
  );

  test('an answered question is not timed out as well', async () => {
    const { queue, clock, events } = scene();
    const outcome = queue.ask(subject());
    answerAll(queue, 'once');
    await outcome;
    clock.advance(120_000);
    expect(events).toHaveLength(2);
  });
});

describe('requests that never ask', () => {
  test.each([
    [
      'a command of tag characters',
      { kind: 'exec', program: '/usr/bin/git', argv: ['git', 'push\u{e0041}\u{e0042}'], context: 'direct' },
    ],
    ['letters that run the other way', writing('/home/dev/app/\u202egpj.exe')],
    ['a line break in a path', writing('/home/dev/app/a\nrule: allowed')],
    ['an escape sequence', writing('/home/dev/app/\u001b[2Ja')],
  ] as const)('%s', async (...[, request]) => {
    const { queue, changes, events } = scene();
    expect(await queue.ask(subject(request))).toMatchObject({
      kind: 'denied',
      because: 'hidden',
      message: expect.stringContaining('hidden characters'),
    });
    expect(changes).toEqual([]);
    expect(events).toMatchObject([{ type: 'approval.resolved', decision: 'deny', because: 'hidden', waited: 0 }]);
  });

  test('a presentation that throws is a denial', async () => {
    const { queue } = scene({
      present: () => {
        throw new Error('no');
      },
    });
    expect(await queue.ask(subject())).toMatchObject({ kind: 'denied', because: 'failure' });
  });

  test.each(['nobody', 'rejects', 'throws'] as const)('a question for which the audience "%s"', async (how) => {
    const audience = (): Promise<'someone' | 'nobody'> => {
      if (how === 'throws') throw new Error('no socket');
      return how === 'nobody' ? Promise.resolve('nobody') : Promise.reject(new Error('no socket'));
    };
    const { queue } = scene({ audience });
    expect(await queue.ask(subject())).toEqual({
      kind: 'denied',
      because: 'nobody',
      message: 'nobody was there to ask, so it was denied',
    });
    expect(queue.pending()).toEqual([]);
  });

  test('is not forgotten when the audience is found out about too late', async () => {
    let tell: (who: 'nobody') => void = () => undefined;
    const audience = vi
      .fn<() => Promise<'someone' | 'nobody'>>()
      .mockImplementationOnce(
        () =>
          new Promise((resolve) => {
            tell = resolve;
          }),
      )
      .mockResolvedValue('someone');
    const { queue } = scene({ audience });
    const first = queue.ask(subject());
    answerAll(queue, 'once');
    expect(await first).toMatchObject({ kind: 'allowed' });
    // The same request again: the outcome of the first question must not end the second.
    const second = queue.ask(subject());
    tell('nobody');
    expect(await settled(second)).toBeUndefined();
    expect(queue.pending()).toHaveLength(1);
    answerAll(queue, 'once');
    expect(await second).toMatchObject({ kind: 'allowed' });
  });
});

describe('repetition', () => {
  test('a denied request is not asked again for 10 s, then 20 s, at most 10 min', async () => {
    const { queue, clock } = scene();
    for (const pause of [10, 20, 40, 80, 160, 320, 600, 600]) {
      const asked = queue.ask(subject());
      answerAll(queue, 'deny');
      await asked;
      expect(await queue.ask(subject())).toEqual({
        kind: 'denied',
        because: 'repeated',
        message: `the same request was denied before, so it is not asked again for ${pause} s`,
      });
      clock.advance(pause * 1000);
    }
  });

  test('a time-out allows asking again at once; the third in a row pauses the rule, and never locks it', async () => {
    const { queue, clock } = scene();
    for (const pause of [0, 0, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600]) {
      const outcome = queue.ask(subject());
      clock.advance(60_000);
      expect(await outcome).toMatchObject({ because: 'time-out' });
      if (pause === 0) continue;
      clock.advance(pause * 1000 - 1);
      expect(await queue.ask(subject(writing('/home/dev/app/variant')))).toEqual({
        kind: 'denied',
        because: 'repeated',
        message: 'nobody answered 3 or more requests under this rule in a row, so it asks nothing for 1 s',
      });
      expect(await settled(queue.ask(subject(writing(`/home/dev/app/${pause}`), 'another-rule')))).toBeUndefined();
      answerAll(queue, 'once');
      clock.advance(1);
    }
  });

  test('questions that end together unanswered count once', async () => {
    const { queue, clock } = scene();
    for (let index = 0; index < 500; index += 1) {
      void queue.ask(subject(writing(`/home/dev/app/${index}`)));
      if (index < 100) clock.advance(100);
    }
    clock.advance(60_000);
    expect(queue.pending()).toEqual([]);
    expect(await settled(queue.ask(subject()))).toBeUndefined();
  });

  test.each(['once', 'deny'] as const)('the answer "%s" ends a row of unanswered questions', async (decision) => {
    const { queue, clock } = scene();
    for (let time = 0; time < 20; time += 1) {
      void queue.ask(subject(writing(`/home/dev/app/${time}`)));
      if (time % 2 === 1) answerAll(queue, time === 1 ? decision : 'once');
      clock.advance(60_000);
    }
    expect(await settled(queue.ask(subject(writing('/home/dev/app/last'))))).toBeUndefined();
  });

  // Attack: a race that asks the same question twenty thousand times. Each would be on the disk twice, and occupy the
  // supervisor for a minute.
  test('a repeated question is journalled once while nobody is there, and asked again once someone is', async () => {
    let who: 'nobody' | 'someone' = 'nobody';
    const { queue, events } = scene({ audience: () => Promise.resolve(who) });
    const seen: unknown[] = [];
    queue.subscribe(({ kind }) => seen.push(kind));
    for (let time = 0; time < 1000; time += 1)
      expect(await queue.ask(subject())).toMatchObject({ kind: 'denied', because: 'nobody' });
    expect(events.length).toBeLessThanOrEqual(3);
    expect(seen).toEqual(['asked', 'resolved']);
    expect(await queue.ask(subject(writing('/home/dev/app/other')))).toMatchObject({ because: 'nobody' });
    expect(seen).toHaveLength(4);
    who = 'someone';
    const outcome = queue.ask(subject());
    expect(await settled(outcome)).toBeUndefined();
    expect(queue.pending()).toHaveLength(1);
    who = 'nobody';
    queue.close();
    expect(await outcome).toMatchObject({ because: 'closed' });
    expect(await queue.ask(subject())).toMatchObject({ because: 'closed' });
  });

  test('abandoned and unheard questions do not pause a rule', async () => {
    let who: 'nobody' | 'someone' = 'nobody';
    const { queue } = scene({ audience: () => Promise.resolve(who) });
    for (let time = 0; time < 10; time += 1) expect(await queue.ask(subject())).toMatchObject({ because: 'nobody' });
    who = 'someone';
    for (let time = 0; time < 10; time += 1) {
      const caller = new AbortController();
      const outcome = queue.ask({ ...subject(), signal: caller.signal });
      caller.abort();
      expect(await outcome).toMatchObject({ because: 'withdrawn' });
    }
    expect(await settled(queue.ask(subject()))).toBeUndefined();
  });

  test('after three denials in a row the rule pauses, whatever is asked, and other rules do not', async () => {
    const { queue, clock } = scene();
    for (const name of ['1', '2', '3']) {
      void queue.ask(subject(writing(`/home/dev/app/${name}`)));
      answerAll(queue, 'deny');
    }
    expect(await queue.ask(subject(writing('/home/dev/app/4')))).toEqual({
      kind: 'denied',
      because: 'repeated',
      message: '3 or more requests under this rule were denied in a row, so it asks nothing for 10 s',
    });
    expect(await settled(queue.ask(subject(writing('/home/dev/app/4'), 'another-rule')))).toBeUndefined();
    clock.advance(10_000);
    expect(await settled(queue.ask(subject(writing('/home/dev/app/4'))))).toBeUndefined();
  });

  test('a yes ends the row', async () => {
    const { queue } = scene();
    for (const [name, decision] of [
      ['1', 'deny'],
      ['2', 'deny'],
      ['3', 'once'],
      ['4', 'deny'],
      ['5', 'deny'],
    ] as const) {
      void queue.ask(subject(writing(`/home/dev/app/${name}`)));
      answerAll(queue, decision);
    }
    expect(await settled(queue.ask(subject(writing('/home/dev/app/6'))))).toBeUndefined();
  });

  test('ten denials lock the rule out for the session, and end the flood that waits', async () => {
    const { queue, clock, events } = scene();
    const flood = Array.from({ length: 500 }, (_, index) => queue.ask(subject(writing(`/home/dev/app/${index}`))));
    const other = queue.ask(subject(writing('/home/dev/app/other'), 'another-rule'));
    for (const { hash } of queue.pending().slice(0, 10)) queue.answer({ hash, decision: 'deny', channel: 'terminal' });
    const outcomes = await Promise.all(flood);
    expect(outcomes.filter((outcome) => outcome.kind === 'denied' && outcome.because === 'answer')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome.kind === 'denied' && outcome.because === 'repeated')).toHaveLength(490);
    expect(events.filter(({ type }) => type === 'approval.resolved')).toHaveLength(500);
    clock.advance(86_400_000);
    expect(await queue.ask(subject(writing('/home/dev/app/new')))).toMatchObject({
      because: 'repeated',
      message: expect.stringContaining('start another session'),
    });
    expect(await other).toMatchObject({ because: 'time-out' });
  });

  test('endless repetition does not fill the journal', async () => {
    const { queue, events } = scene();
    void queue.ask(subject());
    answerAll(queue, 'deny');
    for (let time = 0; time < 100; time += 1) await queue.ask(subject());
    expect(events.map((event) => (event.type === 'approval.resolved' ? event.because : event.type))).toEqual([
      'approval.requested',
      'answer',
      'repeated',
    ]);
  });

  test('different ones fill no journal either', async () => {
    const { queue, events } = scene({ present: () => ({ kind: 'hidden', message: 'it cannot be shown' }) });
    for (let time = 0; time < 10_100; time += 1) await queue.ask(subject(writing(`/home/dev/app/${time}`)));
    expect(events).toHaveLength(10_000);
  });

  test('rules of the same name in different files are different', async () => {
    const { queue } = scene();
    for (const name of ['1', '2', '3']) {
      void queue.ask(subject(writing(`/home/dev/app/${name}`)));
      answerAll(queue, 'deny');
    }
    expect(
      await settled(
        queue.ask({
          ...subject(writing('/home/dev/app/4')),
          verdict: askingVerdict('ask-migrations', { file: '/etc/holdfast/policy.toml' }),
        }),
      ),
    ).toBeUndefined();
  });

  test('a function of the program may deny as often as it likes', async () => {
    const { queue } = scene();
    for (let time = 0; time < 20; time += 1) {
      const outcome = queue.ask(subject());
      queue.answer({ hash: onlyHash(queue), decision: 'deny', channel: 'library' });
      expect(await outcome).toMatchObject({ because: 'answer' });
    }
  });

  test('joining a question is not a repetition', async () => {
    const { queue } = scene();
    const waiting = queue.ask(subject());
    for (const name of ['1', '2', '3']) {
      void queue.ask(subject(writing(`/home/dev/app/${name}`)));
      queue.answer({ hash: queue.pending().at(-1)?.hash ?? '', decision: 'deny', channel: 'terminal' });
    }
    const joined = queue.ask(subject());
    answerAll(queue, 'once');
    expect(await Promise.all([waiting, joined])).toMatchObject([{ kind: 'allowed' }, { kind: 'allowed' }]);
  });
});

describe('codes', () => {
  const codes = {
    covers: (rule: string) => rule === 'ask-migrations',
    check: (code: string) =>
      code === 'locked'
        ? ({ kind: 'refused', message: 'too many wrong codes' } as const)
        : ({ kind: code === '123456' ? 'right' : 'wrong' } as const),
  };

  test.each([
    [undefined, { kind: 'code-needed' }],
    ['000000', { kind: 'code-wrong' }],
    ['locked', { kind: 'refused', message: 'too many wrong codes' }],
    ['123456', { kind: 'taken' }],
  ])('an answer with the code %j is %j', (code, result) => {
    const { queue } = scene({ codes });
    void queue.ask(subject());
    expect(queue.pending()[0]?.confirmation).toBe('totp');
    expect(
      queue.answer({
        hash: onlyHash(queue),
        decision: 'once',
        channel: 'terminal',
        ...(code === undefined ? {} : { code }),
      }),
    ).toEqual(result);
    expect(queue.pending()).toHaveLength(result.kind === 'taken' ? 0 : 1);
  });

  test.each(['once', 'session', 'always'] as const)('the answer "%s" needs one', (decision) => {
    const { queue } = scene({
      codes,
      always: { propose: () => ({ file: 'policy.toml', text: '' }), write: () => undefined },
    });
    void queue.ask(subject());
    expect(queue.answer({ hash: onlyHash(queue), decision, channel: 'terminal' })).toEqual({ kind: 'code-needed' });
    expect(queue.answer({ hash: onlyHash(queue), decision, channel: 'library', code: '000000' })).toEqual({
      kind: 'code-wrong',
    });
    expect(queue.pending()).toHaveLength(1);
  });

  test('a denial needs none, and neither do other rules', () => {
    const { queue } = scene({ codes });
    void queue.ask(subject());
    expect(queue.answer({ hash: onlyHash(queue), decision: 'deny', channel: 'terminal' })).toEqual({ kind: 'taken' });
    void queue.ask(subject(undefined, 'other'));
    expect(queue.answer({ hash: onlyHash(queue), decision: 'once', channel: 'terminal' })).toEqual({ kind: 'taken' });
  });

  test('an answer that cannot be given uses no code up', () => {
    const check = vi.fn<(code: string) => { readonly kind: 'right' }>(() => ({ kind: 'right' }));
    const { queue } = scene({ codes: { covers: () => true, check } });
    void queue.ask(subject());
    expect(
      queue.answer({ hash: onlyHash(queue), decision: 'always', channel: 'terminal', code: '123456' }),
    ).toMatchObject({ kind: 'refused' });
    expect(check).not.toHaveBeenCalled();
  });
});

describe('"always"', () => {
  const shown = { file: '~/.config/holdfast/policy.toml', text: '[[file]]' };

  test('writes the rule shown, and counts for the session', async () => {
    const write = vi.fn<() => void>();
    const { queue } = scene({ always: { propose: () => shown, write } });
    const outcome = queue.ask(subject());
    expect(queue.pending()[0]?.always).toEqual(shown);
    answerAll(queue, 'always');
    expect(await outcome).toMatchObject({ kind: 'allowed', decision: 'always' });
    expect(write).toHaveBeenCalledExactlyOnceWith(subject(), shown);
    expect(await settled(queue.ask(subject()))).toMatchObject({ kind: 'allowed', decision: 'session' });
  });

  test('is no answer where no rule can say it', () => {
    const { queue } = scene({ always: { propose: () => undefined, write: () => undefined } });
    void queue.ask(subject());
    expect(queue.answer({ hash: onlyHash(queue), decision: 'always', channel: 'terminal' })).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('no rule'),
    });
    expect(queue.pending()).toHaveLength(1);
  });

  test('that cannot be written is a denial with the reason, and is not remembered', async () => {
    const { queue, events } = scene({
      always: {
        propose: () => shown,
        write: () => {
          throw new Error('the policy is a symbolic link');
        },
      },
    });
    const outcome = queue.ask(subject());
    expect(queue.answer({ hash: onlyHash(queue), decision: 'always', channel: 'terminal' })).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('the policy is a symbolic link'),
    });
    expect(await outcome).toMatchObject({
      kind: 'denied',
      because: 'failure',
      message: expect.stringContaining('the policy is a symbolic link'),
    });
    expect(events.slice(1)).toMatchObject([{ decision: 'always' }, { decision: 'deny', because: 'failure' }]);
    expect(await settled(queue.ask(subject()))).toBeUndefined();
  });
});

describe('anyone who asked and is gone', () => {
  const asking = (name = '1'): { readonly subject: ApprovalSubject; readonly leave: () => void } => {
    const gone = new AbortController();
    return {
      subject: { ...subject(writing(`/home/dev/app/${name}`)), signal: gone.signal },
      leave: () => gone.abort(),
    };
  };

  test('withdraws the question, with a journal entry, and this is not a denial', async () => {
    const { queue, events, changes } = scene();
    const { subject: asked, leave } = asking();
    const outcome = queue.ask(asked);
    const hash = onlyHash(queue);
    leave();
    expect(await outcome).toEqual({
      kind: 'denied',
      because: 'withdrawn',
      message: 'the requester is gone, so it was denied',
    });
    expect(queue.pending()).toEqual([]);
    expect(queue.answer({ hash, decision: 'once', channel: 'terminal' })).toEqual({ kind: 'unknown' });
    expect(events).toMatchObject([
      { type: 'approval.requested' },
      { type: 'approval.resolved', decision: 'deny', because: 'withdrawn' },
    ]);
    expect(changes.map(({ kind }) => kind)).toEqual(['asked', 'resolved']);
    void queue.ask(asking().subject);
    expect(queue.pending()).toHaveLength(1);
  });

  test('leaves the question to the others who wait', async () => {
    const { queue } = scene();
    const [first, second] = [asking(), asking()];
    const outcomes = [first, second].map(({ subject: asked }) => queue.ask(asked));
    expect(queue.pending()).toMatchObject([{ waiting: 2 }]);
    first.leave();
    expect(await outcomes[0]).toMatchObject({ because: 'withdrawn' });
    expect(queue.pending()).toMatchObject([{ waiting: 1 }]);
    answerAll(queue, 'once');
    expect(await outcomes[1]).toMatchObject({ kind: 'allowed' });
    second.leave();
    expect(queue.pending()).toEqual([]);
  });

  test('asks nobody after an early withdrawal', async () => {
    const { queue, events } = scene();
    const { subject: asked, leave } = asking();
    leave();
    expect(await queue.ask(asked)).toMatchObject({ because: 'withdrawn' });
    expect(events).toEqual([]);
  });

  test('does not make questions flicker: after a hundred of a rule they stay until their time is over', async () => {
    const { queue, clock } = scene();
    for (let round = 0; round < 100; round += 1) {
      const { subject: asked, leave } = asking(String(round));
      const outcome = queue.ask(asked);
      leave();
      expect(await outcome).toMatchObject({ because: 'withdrawn' });
    }
    const { subject: asked, leave } = asking('last');
    const outcome = queue.ask(asked);
    leave();
    expect(await settled(outcome)).toBeUndefined();
    expect(queue.pending()).toHaveLength(1);
    clock.advance(60_000);
    expect(await outcome).toMatchObject({ because: 'time-out' });
  });
});

describe('channels', () => {
  test('a throwing one disturbs neither the others nor the caller', async () => {
    const { queue } = scene();
    const heard: string[] = [];
    queue.subscribe(() => {
      throw new Error('the socket is gone');
    });
    queue.subscribe(({ kind }) => heard.push(kind));
    const outcome = queue.ask(subject());
    answerAll(queue, 'once');
    expect(await outcome).toMatchObject({ kind: 'allowed' });
    expect(heard).toEqual(['asked', 'resolved']);
  });

  test('one answers during its notice: all others see the question before its end', async () => {
    const { queue } = scene();
    const heard: string[] = [];
    queue.subscribe((change) => {
      if (change.kind === 'asked') queue.answer({ hash: change.approval.hash, decision: 'once', channel: 'library' });
    });
    queue.subscribe(({ kind }) => heard.push(kind));
    expect(await queue.ask(subject())).toMatchObject({ kind: 'allowed', channel: 'library' });
    expect(heard).toEqual(['asked', 'resolved']);
  });

  test('a closed one hears nothing', () => {
    const { queue } = scene();
    const listener = vi.fn<() => void>();
    queue.subscribe(listener)();
    void queue.ask(subject());
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('the end', () => {
  test('denies what waits and whatever comes', async () => {
    const { queue, changes } = scene();
    const outcomes = ['1', '2'].map((name) => queue.ask(subject(writing(`/home/dev/app/${name}`))));
    queue.close();
    expect(await Promise.all([...outcomes, queue.ask(subject())])).toEqual(
      Array.from({ length: 3 }, () => ({
        kind: 'denied',
        because: 'closed',
        message: 'the session has ended, so it was denied',
      })),
    );
    expect(changes.map(({ kind }) => kind)).toEqual(['asked', 'asked', 'resolved', 'resolved']);
    queue.close();
  });

  test('also denies requests allowed for the session', async () => {
    const { queue } = scene();
    void queue.ask(subject());
    answerAll(queue, 'session');
    queue.close();
    expect(await queue.ask(subject())).toMatchObject({ because: 'closed' });
  });

  test('denies even if the journal is gone', async () => {
    const journal = vi.fn<(event: ApprovalEvent) => void>();
    const { queue } = scene({ journal });
    const outcome = queue.ask(subject());
    journal.mockImplementation(() => {
      throw new Error('EIO');
    });
    queue.close();
    expect(await outcome).toMatchObject({ kind: 'denied' });
  });
});
