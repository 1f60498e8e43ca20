import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Injection } from '../../policy/credentials/injection.ts';
import type { Credential, SecretSource } from '../../policy/credentials/types.ts';
import type { SecretRead } from '../types.ts';
import type { ProgramEnd, ProgramRun } from './run-program.ts';
import { createSecretStore, type SecretStoreOptions } from './secret-store.ts';
import { credential as credentialOf } from './testing/scene.ts';
import type { SourceEvent } from './types.ts';

const canary = 'EXAMPLE-canary';
const command: SecretSource = { kind: 'command', argv: ['/bin/sh'], timeout: 1000 };

/** A store with a clock and a program of its own. */
function scene(
  answers: readonly (ProgramEnd | (() => Promise<ProgramEnd>))[],
  options: Partial<SecretStoreOptions> = {},
) {
  const clock = { now: 1_000_000 };
  const runs: ProgramRun[] = [];
  const events: SourceEvent[] = [];
  const runner = (run: ProgramRun): Promise<ProgramEnd> => {
    const answer = answers[runs.push(run) - 1] ?? { kind: 'status', status: 99 };
    return typeof answer === 'function' ? answer() : Promise.resolve(answer);
  };
  const store = createSecretStore({
    environment: {},
    writableRoots: [],
    extract: () => undefined,
    runner,
    now: () => clock.now,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const read = async (of: Credential = credentialOf(command)): Promise<string> => shown(await store.read(of));
  return { store, clock, runs, events, read };
}

function shown(read: SecretRead): string {
  return read.kind === 'secret' ? read.secret.value : `! ${read.message}`;
}

function says(text: string): ProgramEnd {
  return { kind: 'output', text };
}

/** A token for so many milliseconds from the beginning of the clock. */
function token(text: string, milliseconds: number): ProgramEnd {
  return says(JSON.stringify({ token: text, expiration: (1_000_000 + milliseconds) / 1000 }));
}

const failed: ProgramEnd = { kind: 'status', status: 1 };
const failure = '! the secret of the credential "example" cannot be read: /bin/sh failed with exit status 1';

describe('a secret', () => {
  test('is not read before someone needs it', async () => {
    const { store, runs } = scene([says(canary)]);
    expect(runs).toHaveLength(0);
    expect(store.known()).toEqual([]);
    await store.read(credentialOf(command));
    expect(runs).toHaveLength(1);
  });

  test('is read once for all who wait, and kept', async () => {
    const { read, runs } = scene([() => Promise.resolve(says(canary))]);
    expect(await Promise.all([read(), read(), read()])).toEqual([canary, canary, canary]);
    expect(await read()).toBe(canary);
    expect(runs).toHaveLength(1);
  });

  test('is kept as long as the session where it does not expire', async () => {
    const { read, runs, clock } = scene([says(canary)]);
    await read();
    clock.now += 1e12;
    expect(await read()).toBe(canary);
    expect(runs).toHaveLength(1);
  });

  test('is read again when it was forgotten', async () => {
    const { store, read, runs, events } = scene([says('EXAMPLE-1'), says('EXAMPLE-2')]);
    expect(await read()).toBe('EXAMPLE-1');
    store.forget('another');
    expect(await read()).toBe('EXAMPLE-1');
    store.forget('example');
    expect(await read()).toBe('EXAMPLE-2');
    expect(runs).toHaveLength(2);
    expect(events).toEqual([{ credential: 'example', action: 'refreshed' }]);
    expect(store.known().map(({ text }) => text)).toEqual(['EXAMPLE-1', 'EXAMPLE-2']);
  });

  test('that a server does not take is read again, once in a minute', async () => {
    const { store, read, runs, clock } = scene([says('EXAMPLE-1'), says('EXAMPLE-2'), says('EXAMPLE-3')]);
    expect(await read()).toBe('EXAMPLE-1');
    clock.now += 59_999;
    store.doubt('example');
    expect(await read()).toBe('EXAMPLE-1');
    clock.now += 1;
    store.doubt('another');
    expect(await read()).toBe('EXAMPLE-1');
    store.doubt('example');
    expect(await read()).toBe('EXAMPLE-2');
    store.doubt('example');
    expect(await read()).toBe('EXAMPLE-2');
    expect(runs).toHaveLength(2);
    expect(store.known().map(({ text }) => text)).toEqual(['EXAMPLE-1', 'EXAMPLE-2']);
  });

  test('that was forgotten while it was read is read again', async () => {
    const { store, read, runs } = scene([says('EXAMPLE-1'), says('EXAMPLE-2')]);
    const first = read();
    store.forget('example');
    expect(await read()).toBe('EXAMPLE-2');
    expect(await first).toBe('EXAMPLE-1');
    expect(await read()).toBe('EXAMPLE-2');
    expect(runs).toHaveLength(2);
  });

  test('from a changed source is read from the new one', async () => {
    const { read } = scene([says('EXAMPLE-1'), says('EXAMPLE-2')]);
    expect(await read()).toBe('EXAMPLE-1');
    expect(await read(credentialOf({ ...command, argv: ['/bin/sh', 'other'] }))).toBe('EXAMPLE-2');
  });

  test('is one for all credentials of a group', async () => {
    const { store, read, runs } = scene([says(canary)]);
    const [api, git]: readonly [Credential, Credential] = [
      { ...credentialOf(command), name: 'github', group: 'github' },
      { ...credentialOf(command, { kind: 'git', user: 'x' }), name: 'github.git', group: 'github' },
    ];
    expect(await Promise.all([read(api), read(git)])).toEqual([canary, canary]);
    expect(runs).toHaveLength(1);
    expect(store.known()).toEqual([{ credential: 'github', text: canary }]);
  });

  test('of a group is refused in an unsupported place', async () => {
    const { read } = scene([says('pässwörd')]);
    expect(await read(credentialOf(command, { kind: 'git', user: 'x' }))).toBe('pässwörd');
    expect(await read(credentialOf(command, { kind: 'bearer' }))).toContain('characters that a header cannot hold');
  });

  test('of a file with a format is one per credential', async () => {
    const { read } = scene([], {
      extract: (_format, _text, { hosts }) => ({ value: `EXAMPLE-${hosts.length}`, fields: {} }),
    });
    const netrc = credentialOf({ kind: 'file', path: '/etc/hostname', format: 'netrc' });
    const { binding } = netrc;
    expect(await read(netrc)).toBe('EXAMPLE-1');
    expect(await read({ ...netrc, binding: { ...binding, hosts: [...binding.hosts, ...binding.hosts] } })).toBe(
      'EXAMPLE-2',
    );
  });
});

describe('a secret that expires', () => {
  const hour = 3_600_000;

  test.each([
    [hour, hour - 60_001, 1],
    [hour, hour - 60_000, 2],
    [100_000, 49_999, 1],
    [100_000, 50_000, 2],
    [1000, 499, 1],
    [1000, 500, 2],
  ])(
    'after %i ms is read again a minute before, or halfway: after %i ms it was read %i times',
    async (life, passed, times) => {
      const { read, clock, runs } = scene([token('EXAMPLE-1', life), token('EXAMPLE-2', 2 * life)]);
      await read();
      clock.now += passed;
      expect(await read()).toBe('EXAMPLE-1');
      expect(runs).toHaveLength(times);
    },
  );

  test('is renewed while the old one is still used, and then the new one is', async () => {
    const gate = Promise.withResolvers<ProgramEnd>();
    const { read, clock, runs, events } = scene([token('EXAMPLE-1', hour), () => gate.promise]);
    await read();
    clock.now += hour - 30_000;
    expect([await read(), await read()]).toEqual(['EXAMPLE-1', 'EXAMPLE-1']);
    gate.resolve(token('EXAMPLE-2', 2 * hour));
    await gate.promise;
    await new Promise(setImmediate);
    expect(await read()).toBe('EXAMPLE-2');
    expect(runs).toHaveLength(2);
    expect(events).toEqual([{ credential: 'example', action: 'refreshed' }]);
  });

  test('is waited for when the old one has expired', async () => {
    const { read, clock } = scene([token('EXAMPLE-1', hour), token('EXAMPLE-2', 2 * hour)]);
    await read();
    clock.now += hour;
    expect(await Promise.all([read(), read()])).toEqual(['EXAMPLE-2', 'EXAMPLE-2']);
  });

  test('and cannot be renewed is used until it expires, and not a moment longer', async () => {
    const { read, clock, runs } = scene([token('EXAMPLE-1', hour), failed, failed, failed]);
    await read();
    clock.now += hour - 30_000;
    expect(await read()).toBe('EXAMPLE-1');
    await new Promise(setImmediate);
    expect(await read()).toBe('EXAMPLE-1');
    expect(runs).toHaveLength(2);
    clock.now += 29_999;
    expect(await read()).toBe('EXAMPLE-1');
    await new Promise(setImmediate);
    clock.now += 1;
    expect(await read()).toBe(failure);
  });

  test('is known after that: it may still be reflected', async () => {
    const { store, read, clock } = scene([token('EXAMPLE-1', hour), failed]);
    await read();
    clock.now += 2 * hour;
    await read();
    expect(store.known()).toEqual([{ credential: 'example', text: 'EXAMPLE-1' }]);
  });

  test('expires when its policy says so, where its source says nothing', async () => {
    const source: SecretSource = { ...command, lifetime: hour };
    const { store, clock, runs } = scene([says('EXAMPLE-1'), says('EXAMPLE-2')]);
    expect(await store.read(credentialOf(source))).toMatchObject({ secret: { expires: 1_000_000 + hour } });
    clock.now += hour;
    expect(shown(await store.read(credentialOf(source)))).toBe('EXAMPLE-2');
    expect(runs).toHaveLength(2);
  });
});

describe('a source that fails', () => {
  test('is left alone for five seconds', async () => {
    const { read, clock, runs } = scene([failed, failed, says(canary)]);
    expect(await Promise.all([read(), read()])).toEqual([failure, failure]);
    clock.now += 4999;
    expect(await read()).toBe(failure);
    expect(runs).toHaveLength(1);
    clock.now += 1;
    expect(await read()).toBe(failure);
    clock.now += 5000;
    expect(await read()).toBe(canary);
    expect(runs).toHaveLength(3);
  });

  test('is asked at once when it was told to be forgotten', async () => {
    const { store, read } = scene([failed, says(canary)]);
    await read();
    store.forget('example');
    expect(await read()).toBe(canary);
  });

  test.each<[string, ProgramEnd, string]>([
    ['fails', { kind: 'status', status: 3 }, '/bin/sh failed with exit status 3'],
    ['is killed', { kind: 'signal', signal: 'SIGSEGV' }, '/bin/sh was ended by SIGSEGV'],
    ['is not there', { kind: 'not-started', code: 'ENOENT' }, '/bin/sh could not be started: ENOENT'],
    ['hangs', { kind: 'time-out' }, '/bin/sh gave no answer within 1 seconds'],
    ['never ends', { kind: 'too-long' }, '/bin/sh answered with more than 64 KiB'],
    ['answers with bytes', { kind: 'not-text' }, '/bin/sh answered with something that is not UTF-8'],
    ['answers with nothing', says(''), 'it is empty'],
    ['answers with a blank', says(' \n'), 'it is empty'],
    ['answers with two lines', says(`${canary}\n${canary}\n`), 'it holds a line break or another control character'],
    ['adds a header', says(`${canary}\r\nx-evil: 1`), 'it holds a line break or another control character'],
    ['adds a NUL', says(`${canary}\0`), 'it holds a line break or another control character'],
    ['answers with other JSON', says(`{"secret":"${canary}"}`), 'it answered with JSON that holds no token'],
    [
      'answers with an expired token',
      says(`{"token":"${canary}","expires_in":0}`),
      'it answered with a secret that has expired already',
    ],
  ])('%s', async (_, end, why) => {
    const { store, read, events } = scene([end]);
    expect(await read()).toBe(`! the secret of the credential "example" cannot be read: ${why}`);
    expect(events).toEqual([
      {
        credential: 'example',
        action: 'unavailable',
        message: `the secret of the credential "example" cannot be read: ${why}`,
      },
    ]);
    expect(store.known()).toEqual([]);
    expect(inspect(events, { depth: 9 })).not.toContain(canary);
  });

  test('with an unexpected error reveals none of its text', async () => {
    const { read } = scene([() => Promise.reject(new Error(canary))]);
    expect(await read()).toBe('! the secret of the credential "example" cannot be read: its source could not be asked');
  });

  test('has one line of words, whatever its name is', async () => {
    const { store } = scene([]);
    const read = await store.read(credentialOf({ kind: 'file', path: '/no/such\n\u001B[2J\u202Efile' }));
    expect(read).toMatchObject({
      kind: 'unavailable',
      message: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u) as string,
      remedy: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u) as string,
    });
  });
});

describe('checks of a secret', () => {
  test.each<[Injection, string, string | undefined]>([
    [{ kind: 'service-account', scopes: [] }, '{"type":"service_account",\n"private_key":"EXAMPLE"}', undefined],
    [
      { kind: 'github-app', appId: '1', installationId: '2', api: 'https://api.github.com' },
      '-----BEGIN\nEXAMPLE\n-----END',
      undefined,
    ],
    [{ kind: 'basic', user: 'x' }, 'pässwörd', undefined],
    [{ kind: 'bearer' }, 'EXAMPLE\u0007', 'it holds a line break or another control character'],
  ])('%j', async (injection, text, why) => {
    const { read } = scene([says(text)]);
    expect(await read(credentialOf(command, injection))).toBe(
      why === undefined ? text : `! the secret of the credential "example" cannot be read: ${why}`,
    );
  });
});

describe('known values', () => {
  test('are secrets, session tokens and fetched ones; no key ID', async () => {
    const { store, read } = scene([
      says(
        JSON.stringify({
          Version: 1,
          AccessKeyId: 'AKIAEXAMPLE',
          SecretAccessKey: 'EXAMPLE-secret',
          SessionToken: 'EXAMPLE-session',
        }),
      ),
    ]);
    await read(credentialOf(command, { kind: 'sigv4' }));
    store.remember('example', 'EXAMPLE-fetched');
    store.remember('example', 'EXAMPLE-fetched');
    store.remember('other', 'EXAMPLE-other');
    store.remember('other', '');
    expect(store.known()).toEqual([
      { credential: 'example', text: 'EXAMPLE-secret' },
      { credential: 'example', text: 'EXAMPLE-session' },
      { credential: 'example', text: 'EXAMPLE-fetched' },
      { credential: 'other', text: 'EXAMPLE-other' },
    ]);
    store.unremember('example', 'EXAMPLE-fetched');
    store.unremember('example', 'EXAMPLE-other');
    store.unremember('nobody', 'EXAMPLE-other');
    expect(store.known().map(({ text }) => text)).toEqual(['EXAMPLE-secret', 'EXAMPLE-session', 'EXAMPLE-other']);
  });

  test('are not those that no box can have sent any more', () => {
    const { store } = scene([]);
    store.remember('example', 'EXAMPLE-1');
    store.remember('example', 'EXAMPLE-2');
    store.unremember('example', 'EXAMPLE-1');
    store.unremember('other', 'EXAMPLE-2');
    expect(store.known()).toEqual([{ credential: 'example', text: 'EXAMPLE-2' }]);
  });

  test('that was fetched before the first reading makes that no second one', async () => {
    const { store, read, events } = scene([says(canary)]);
    store.remember('example', 'EXAMPLE-fetched');
    await read();
    expect(events).toEqual([]);
  });
});

describe('a store that is closed', () => {
  test('knows nothing, reads nothing and keeps nothing', async () => {
    const { store, read, runs, events } = scene([says(canary), says(canary)]);
    await read();
    store.close();
    store.remember('example', canary);
    expect(store.known()).toEqual([]);
    expect(await read()).toBe('! the secret of the credential "example" cannot be read: the session has ended');
    expect(runs).toHaveLength(1);
    expect(events).toEqual([]);
  });

  test('stops running reads, and drops late answers', async () => {
    const gate = Promise.withResolvers<ProgramEnd>();
    const { store, read, runs } = scene([() => gate.promise]);
    const waiting = read();
    await new Promise(setImmediate);
    store.close();
    expect(runs[0]?.signal.aborted).toBe(true);
    gate.resolve(says(canary));
    expect(await waiting).toContain('the session has ended');
    expect(store.known()).toEqual([]);
  });
});

test('a printed store shows no content', async () => {
  const { store, read } = scene([says(canary)]);
  const given = await store.read(credentialOf(command));
  expect(await read()).toBe(canary);
  for (const value of [store, given])
    expect(`${inspect(value, { depth: 9, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`).not.toContain(
      canary,
    );
});

test('a file that everybody may read is reported', async () => {
  const { store, events } = scene([]);
  expect(
    await store.read(
      credentialOf(
        { kind: 'file', path: '/etc/passwd', format: 'text' },
        { kind: 'github-app', appId: '1', installationId: '2', api: 'x' },
      ),
    ),
  ).toMatchObject({ kind: 'secret' });
  expect(events).toEqual([
    {
      credential: 'example',
      action: 'exposed',
      message: 'every user of this machine can read /etc/passwd: prevent this with `chmod 600`',
    },
  ]);
});
