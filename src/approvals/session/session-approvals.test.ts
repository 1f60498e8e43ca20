import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readEvents } from '../../audit/index.ts';
import { type Place, readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { decide } from '../../policy/decide.ts';
import { type ApprovalSubject, watchApprovals } from '../index.ts';
import type { Approve } from './approve.ts';
import { askAll, SandboxApprovals, sessionApprovals, type SessionApprovals } from './session-approvals.ts';

interface Made {
  readonly approvals: SessionApprovals;
  readonly place: Place;
  readonly sockets: () => readonly string[];
}

interface MakeOptions {
  readonly policy?: string;
  readonly approve?: Approve;
  readonly environment?: Readonly<Record<string, string>>;
}

function made({ policy = '', approve, environment = {} }: MakeOptions = {}): Made {
  const root = mkdtempSync('/var/tmp/holdfast-approvals-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'ws'));
  mkdirSync(join(root, 'config/holdfast'), { recursive: true });
  writeFileSync(join(root, 'config/holdfast/policy.toml'), `version = 1\n${policy}`);
  const place = readPlace({
    cwd: join(root, 'ws'),
    workspace: join(root, 'ws'),
    environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') },
  });
  const approvals = sessionApprovals({ session: 'test', place, environment, approve, terminal: 'none' });
  onTestFinished(() => approvals.close());
  const directory = join(place.paths.runtime, 'approvals');
  return { approvals, place, sockets: () => (existsSync(directory) ? readdirSync(directory) : []) };
}

const subject = (path = '/a', details: readonly string[] = []): ApprovalSubject => ({
  request: { kind: 'file', operation: 'read', path },
  verdict: {
    decision: 'ask',
    code: 'rule',
    rule: 'r',
    layer: 'user',
    file: 'policy.toml',
    line: 1,
    message: 'm',
    remedy: 'r',
  },
  details,
});
const denied = (because: string, message: RegExp) => ({
  kind: 'denied',
  because,
  message: expect.stringMatching(message) as string,
});

/** From here to the end of the test no timer fires, so anything that ends has waited for none. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a question', () => {
  test('is denied without an approver, once programs had time to connect', async () => {
    const { approvals, place } = made();
    const before = performance.now();
    expect(await approvals.ask(subject())).toEqual(denied('nobody', /nobody was there to ask/u));
    expect(performance.now() - before).toBeGreaterThan(400);
    stopTimers();
    expect(await approvals.ask(subject('/b'))).toEqual(denied('nobody', /nobody/u));
    expect(readEvents(place.paths.journal).map(({ type }) => type)).toEqual([
      'approval.requested',
      'approval.resolved',
      'approval.requested',
      'approval.resolved',
    ]);
  });

  test.each(['true', '1'])('waits for nobody with CI=%s', async (CI) => {
    const { approvals } = made({ environment: { CI } });
    stopTimers();
    expect(await approvals.ask(subject())).toEqual(denied('nobody', /nobody/u));
  });

  test('is answered by another program, and the session remembers as told', async () => {
    const { approvals, place } = made();
    const watch = watchApprovals({
      runtime: place.paths.runtime,
      channel: 'editor',
      onChange: (change) =>
        void (change.kind === 'asked' && watch.answer({ hash: change.approval.hash, decision: 'session' })),
    });
    onTestFinished(() => watch.close());
    expect(await approvals.ask(subject())).toEqual({ kind: 'allowed', decision: 'session', channel: 'editor' });
    watch.close();
    expect(await approvals.ask(subject())).toMatchObject({ kind: 'allowed' });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await approvals.ask(subject('/b'))).toMatchObject({ because: 'nobody' });
  });

  test('is denied when its time is over', async () => {
    const { approvals } = made({
      policy: '[approvals]\ntimeout = "1s"\n',
      approve: () => new Promise(() => undefined),
    });
    expect(await approvals.ask(subject())).toEqual(denied('time-out', /nobody answered within 1 s/u));
  });

  test('with invisible characters is not asked', async () => {
    const { approvals } = made({ approve: () => expect.unreachable('someone was asked') });
    expect(await approvals.ask(subject('/a\u202etxt'))).toEqual(denied('hidden', /hidden characters/u));
  });

  test('of a session closed before or during it is denied, and the socket is gone', async () => {
    const { approvals, sockets } = made({ approve: () => new Promise(() => undefined) });
    const waiting = approvals.ask(subject());
    await vi.waitFor(() => expect([approvals.pending().length, sockets()]).toEqual([1, ['test']]), { timeout: 20_000 });
    approvals.close();
    expect(await waiting).toEqual(denied('closed', /the session has ended/u));
    expect(await approvals.ask(subject())).toEqual(denied('closed', /the session has ended/u));
    expect(sockets()).toEqual([]);
  });

  test('of a session closed while it opens leaves no socket', async () => {
    const { approvals, sockets } = made();
    const waiting = approvals.ask(subject());
    approvals.close();
    expect(await waiting).toEqual(denied('closed', /the session has ended/u));
    expect(sockets()).toEqual([]);
  });

  test('is denied where the socket cannot be made, and says why', async () => {
    const { approvals, place } = made();
    mkdirSync(place.paths.state, { recursive: true });
    writeFileSync(place.paths.runtime, '');
    expect(await approvals.ask(subject())).toEqual(denied('failure', /could not be asked .*run/u));
  });

  test('does not exist before it is asked', () => {
    const { approvals, sockets } = made();
    expect([approvals.pending(), approvals.answer({ hash: 'x', decision: 'once' }), sockets()]).toEqual([
      [],
      { kind: 'unknown' },
      [],
    ]);
  });
});

describe('the function of a program', () => {
  test('is called with the request, and its answer is good once', async () => {
    const asked: unknown[] = [];
    const { approvals } = made({ approve: async (request) => (asked.push(request), 'allow') });
    for (let time = 0; time < 2; time += 1)
      expect(await approvals.ask({ ...subject(), process: 7 })).toEqual({
        kind: 'allowed',
        decision: 'once',
        channel: 'library',
      });
    expect(asked).toEqual(
      Array.from({ length: 2 }, () => ({
        request: subject().request,
        verdict: subject().verdict,
        details: subject().details,
        process: 7,
      })),
    );
  });

  test.each([
    ['says no', () => Promise.resolve('deny')],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['fails', () => Promise.reject(new Error('no'))],
    ['gives no answer that there is', () => Promise.resolve('yes')],
    ['gives a true', () => Promise.resolve(true)],
  ] as readonly (readonly [string, () => unknown])[])('that %s denies', async (_, approve) => {
    expect(await made({ approve: approve as Approve }).approvals.ask(subject())).toMatchObject({
      kind: 'denied',
      because: 'answer',
    });
  });

  test('is asked as often as something is wanted, however often it denied', async () => {
    let asked = 0;
    const { approvals } = made({
      approve: async ({ request }) => (
        (asked += 1), request.kind === 'file' && request.path === '/30' ? 'allow' : 'deny'
      ),
    });
    for (let path = 0; path < 30; path += 1)
      expect(await approvals.ask(subject(`/${path}`))).toMatchObject({ because: 'answer' });
    expect(await approvals.ask(subject('/30'))).toMatchObject({ kind: 'allowed' });
    expect(asked).toBe(31);
  });

  test('needs no socket', async () => {
    const { approvals, place } = made({ approve: () => Promise.resolve('allow') });
    mkdirSync(place.paths.state, { recursive: true });
    writeFileSync(place.paths.runtime, '');
    expect(await approvals.ask(subject())).toMatchObject({ kind: 'allowed' });
  });

  test('is asked about every path of a call until one is denied', async () => {
    const asked: string[] = [];
    const approve: Approve = async ({ request }) => {
      const path = request.kind === 'file' ? request.path : '';
      asked.push(path);
      return path === '/b' ? 'deny' : 'allow';
    };
    const { approvals } = made({ approve });
    expect(
      await askAll(
        approvals,
        ['/a', '/b', '/c'].map((path) => subject(path)),
      ),
    ).toMatchObject({ kind: 'denied' });
    expect(asked).toEqual(['/a', '/b']);
    expect(
      await askAll(
        approvals,
        ['/a', '/c'].map((path) => subject(path)),
      ),
    ).toBeUndefined();
  });
});

describe('a sandbox’s list', () => {
  test('shows questions as they come and go; a watcher counts as present, and can answer', async () => {
    const { approvals } = made();
    const sandbox = new SandboxApprovals(approvals);
    const changes = sandbox.changes();
    const outcome = approvals.ask(subject('/a', ['a line more']));
    const first = await changes.next();
    expect(first.value).toMatchObject({
      kind: 'asked',
      approval: { title: expect.stringContaining('/a') as string, session: 'test' },
    });
    const [pending] = sandbox.pending();
    expect(sandbox.answer({ hash: pending?.hash ?? '', decision: 'once' })).toEqual({ kind: 'taken' });
    expect(await outcome).toEqual({ kind: 'allowed', decision: 'once', channel: 'library' });
    expect((await changes.next()).value).toMatchObject({ kind: 'resolved', outcome: { kind: 'allowed' } });
    await changes.return?.();
    expect(await approvals.ask(subject('/b'))).toMatchObject({ because: 'nobody' });
  });

  test('ends with the session, and with its signal', async () => {
    const { approvals } = made();
    const sandbox = new SandboxApprovals(approvals);
    const controller = new AbortController();
    const [own, all] = [sandbox.changes(controller.signal), sandbox.changes()];
    const [ownEnd, allEnd] = [own.next(), all.next()];
    controller.abort();
    expect((await ownEnd).done).toBe(true);
    approvals.close();
    expect((await allEnd).done).toBe(true);
    expect((await sandbox.changes().next()).done).toBe(true);
  });
});

test('an answer for ever is a rule in the user’s policy, which was shown before', async () => {
  const { approvals, place } = made({
    policy: '# mine\n[[signal]]\nname = "kills"\ndecision = "ask"\nsignals = ["SIGKILL"]\n',
  });
  const request = { kind: 'signal', signal: 'SIGKILL', target: 'box' } as const;
  const verdict = decide(policyOfPlace(place), request);
  expect(verdict.decision).toBe('ask');
  const changes = new SandboxApprovals(approvals).changes();
  const outcome = approvals.ask({ request, verdict });
  const asked = (await changes.next()).value?.approval;
  expect(asked?.always).toMatchObject({
    file: place.paths.userPolicy,
    text: expect.stringContaining('targets = ["box"]') as string,
  });
  expect(readFileSync(place.paths.userPolicy, 'utf8')).not.toContain('targets');
  expect(approvals.answer({ hash: asked?.hash ?? '', decision: 'always' })).toEqual({ kind: 'taken' });
  expect(await outcome).toMatchObject({ kind: 'allowed', decision: 'always' });
  const text = readFileSync(place.paths.userPolicy, 'utf8');
  expect(text).toContain(asked?.always?.text ?? 'no text was shown');
  expect(text).toContain('# mine\n');
});
