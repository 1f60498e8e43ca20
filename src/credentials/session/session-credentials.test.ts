import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../audit/index.ts';
import { readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { SandboxCredentials } from '../../sandbox/sandbox-policy.ts';
import type { TokenStore } from '../types.ts';
import { checkCredentials } from './check-credentials.ts';
import { revoke } from './revocations.ts';
import {
  openSessionCredentials,
  type SessionCredentialOptions,
  type SessionCredentials,
} from './session-credentials.ts';
import { shownCredentials } from './shown-credentials.ts';

const token = 'ghp_EXAMPLEcanary0123456789abcdefghijAB';

const table = (name: string, more: string) =>
  `\n[[credentials]]\nname = "${name}"\nhosts = ["api.example.com"]\n${more}\n`;
const bearer = table(
  'one',
  'source = { env = "ONE_TOKEN" }\ninject = { kind = "bearer" }\nenvironment = ["ONE_TOKEN"]',
);

function scene(credentials: string, environment: Readonly<Record<string, string>> = { ONE_TOKEN: token }) {
  const root = scratchDirectory();
  plant(root, {
    'ws/': '',
    'config/holdfast/policy.toml': `version = 1\n[network]\nhosts = ["api.example.com"]\n${credentials}`,
  });
  const host = {
    PATH: '/usr/bin:/bin',
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
    ...environment,
  };
  const place = () => readPlace({ cwd: join(root, 'ws'), environment: host });
  const open = (more: Partial<SessionCredentialOptions> = {}) =>
    openSessionCredentials({
      id: 's1',
      place: place(),
      environment: host,
      writableRoots: [join(root, 'ws')],
      gitSettings: 0,
      ...more,
    });
  const events = () => readEvents(place().paths.journal) as unknown as readonly Readonly<Record<string, unknown>>[];
  return { root, host, place, open, events };
}

const noTokens = { close: () => undefined } as unknown as TokenStore;

function never(): never {
  throw new Error('The session has no credential.');
}

function context(session: SessionCredentials, place: ReturnType<typeof readPlace>) {
  return session.context(() => policyOfPlace(place), noTokens);
}

describe('the credentials of a session', () => {
  test('are phantoms of the same shape, and each session has its own', async () => {
    const { open } = scene(bearer);
    const [first, second] = [await open(), await open()];
    const one = first.delivered.environment['ONE_TOKEN'] ?? '';
    expect(one).toMatch(/^ghp_[A-Za-z0-9]+$/u);
    expect(one).not.toContain('EXAMPLEcanary');
    expect(second.delivered.environment['ONE_TOKEN']).not.toBe(one);
  });

  test('never show the secret, however they are printed', async () => {
    const { open, events } = scene(bearer);
    const session = await open();
    expect(JSON.stringify(shownCredentials({ credentials: session }))).not.toContain('EXAMPLEcanary');
    expect(JSON.stringify(session)).not.toContain('EXAMPLEcanary');
    expect(JSON.stringify(events())).not.toContain('EXAMPLEcanary');
  });

  test('a missing one has no phantom, and one line with the remedy', async () => {
    const { open, events } = scene(bearer, {});
    const session = await open();
    expect(session.delivered.environment).toEqual({});
    expect(session.credentials).toEqual([]);
    expect(session.notices).toEqual([
      expect.stringMatching(/^there is no credential one in the box: .*ONE_TOKEN.*; set ONE_TOKEN/u),
    ]);
    expect(events()).toMatchObject([{ type: 'credential', credential: 'one', action: 'missing', session: 's1' }]);
  });

  const filter = '/proc/self/coredump_filter';

  test.skipIf(!existsSync(filter))('keep the memory of this process out of core dumps', async () => {
    const before = readFileSync(filter, 'utf8').trim();
    writeFileSync(filter, '0x33');
    try {
      await scene(bearer).open();
      expect(Number.parseInt(readFileSync(filter, 'utf8'), 16)).toBe(0);
    } finally {
      writeFileSync(filter, `0x${before}`);
    }
  });

  test('say so where a core dump could hold them', async () => {
    const { open } = scene(bearer);
    expect((await open({ keepOutOfCoreDumps: () => 'unavailable' })).notices).toEqual([
      expect.stringContaining('core dumps'),
    ]);
    expect((await open({ keepOutOfCoreDumps: () => 'kept-out' })).notices).toEqual([]);
  });

  test('a program is not asked before a request needs it', async () => {
    const { root, open } = scene(
      table(
        'slow',
        `source = { command = ["/usr/bin/touch", "/nowhere/asked"] }\ninject = { kind = "bearer" }\nenvironment = ["SLOW"]`,
      ),
    );
    const session = await open();
    expect(session.notices).toEqual([]);
    expect(session.delivered.environment['SLOW']).toMatch(/^[A-Za-z0-9]{40}/u);
    expect(root).not.toBe('');
  });

  test('are bound as long as the policy holds them so', async () => {
    const made = scene(bearer);
    const session = await made.open();
    expect(context(session, made.place()).credentials).toHaveLength(1);
    plant(made.root, {
      'config/holdfast/policy.toml': `version = 1\n[network]\nhosts = ["api.example.com", "b.example.com"]\n${bearer.replace('api.example.com', 'b.example.com')}`,
    });
    expect(context(session, made.place()).credentials).toEqual([]);
    plant(made.root, { 'config/holdfast/policy.toml': 'version = 1\n' });
    expect(context(session, made.place()).credentials).toEqual([]);
    expect(session.context(() => undefined, noTokens).credentials).toEqual([]);
  });

  test('are revoked by a word on the command line', async () => {
    const { open, place, events } = scene(bearer);
    const session = await open();
    const { registry, ...seen } = context(session, place());
    const phantom = session.delivered.environment['ONE_TOKEN'] ?? '';
    expect(registry.lookUp(phantom)).toMatchObject({ credential: 'one', state: 'good' });
    revoke(place().paths, { credential: 'one', at: Date.now() + 1000 });
    expect(seen.credentials).toHaveLength(1);
    expect(context(session, place()).credentials).toHaveLength(1);
    expect(registry.lookUp(phantom)).toMatchObject({ credential: 'one', state: 'revoked' });
    expect(events()).toMatchObject([{ type: 'credential', credential: 'one', action: 'revoked' }]);
  });

  test('end with it', async () => {
    const { open, place } = scene(bearer);
    const session = await open();
    const { registry, secrets } = context(session, place());
    expect(secrets.known()).not.toEqual([]);
    session.close();
    expect(registry.lookUp(session.delivered.environment['ONE_TOKEN'] ?? '')).toMatchObject({ state: 'revoked' });
    expect(secrets.known()).toEqual([]);
  });

  test('are revoked by any name that is shown', async () => {
    const { open, place, root } = scene('');
    plant(root, {
      'config/holdfast/policy.toml':
        'version = 1\n[network]\nhosts = ["api.github.com", "github.com"]\n[[credentials]]\nname = "forge"\nprovider = "github"\nsource = { env = "ONE_TOKEN" }\n',
    });
    const session = await open();
    const part = session.credentials.find(({ name }) => name !== 'forge');
    expect(part?.group).toBe('forge');
    session.revoke(part?.name);
    expect(context(session, place()).registry.stateOf(session.credentials[0] ?? never())).toBe('revoked');
  });

  test('are all revoked, though the journal cannot be written to', async () => {
    const { open, place } = scene(bearer + bearer.replaceAll('one', 'two').replaceAll('ONE_TOKEN"]', 'TWO_TOKEN"]'));
    const session = await open();
    const seen = context(session, place());
    for (const credential of ['one', 'two']) revoke(place().paths, { credential, at: Date.now() + 1000 });
    rmSync(place().paths.journal, { force: true });
    mkdirSync(place().paths.journal);
    expect(() => seen.credentials).toThrow(expect.objectContaining({ code: expect.stringMatching(/^HF_/u) as string }));
    expect(session.credentials.map((credential) => seen.registry.stateOf(credential))).toEqual(['revoked', 'revoked']);
  });

  test('claims in the token of a file are masked on request', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'RS256' })}.${part({ sub: 'person', email: 'person@example.com', exp: 9 })}.${'s'.repeat(80)}`;
    const lines = (claims: string) =>
      table(
        'jwt',
        `source = { env = "ONE_TOKEN" }\ninject = { kind = "bearer" }\nfiles = [{ path = "~/.jwt", format = "text", claims = "${claims}" }]`,
      );
    const claimsOf = async (claims: string) => {
      const session = await scene(lines(claims), { ONE_TOKEN: jwt }).open();
      const [file] = session.delivered.files;
      return JSON.parse(Buffer.from(file?.content.split('.')[1] ?? '', 'base64url').toString('utf8')) as Readonly<
        Record<string, unknown>
      >;
    };
    expect(await claimsOf('kept')).toMatchObject({ sub: 'person' });
    expect(Object.keys(await claimsOf('masked'))).not.toContain('email');
  });
});

describe('the credentials of a sandbox', () => {
  test('are revoked by name, and an unknown name is an error', async () => {
    const credentials = await scene(bearer).open();
    const own = new SandboxCredentials({ credentials });
    const phantom = credentials.delivered.environment['ONE_TOKEN'] ?? '';
    expect(() => own.revoke('noe')).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
    expect(credentials.parts.registry.lookUp(phantom)?.state).toBe('good');
    own.revoke('one');
    expect(credentials.parts.registry.lookUp(phantom)?.state).toBe('revoked');
    expect(() => new SandboxCredentials({ credentials: undefined }).revoke()).not.toThrow();
    expect(() => new SandboxCredentials({ credentials: undefined }).revoke('one')).toThrow();
  });
});

describe('a check of credentials', () => {
  const checked = async (credentials: string, environment?: Readonly<Record<string, string>>) => {
    const made = scene(credentials, environment);
    return checkCredentials(made.place(), made.host);
  };

  test.each([
    ['a variable that is set', bearer, { ONE_TOKEN: token }, { kind: 'readable' }],
    ['a variable that is not', bearer, {}, { kind: 'missing' }],
    [
      'a program that is there',
      table('p', 'source = { command = ["/bin/false"] }\ninject = { kind = "bearer" }\nenvironment = ["P"]'),
      {},
      { kind: 'asks' },
    ],
    [
      'a program that is not',
      table('p', 'source = { command = ["/nowhere/program"] }\ninject = { kind = "bearer" }\nenvironment = ["P"]'),
      {},
      { kind: 'missing' },
    ],
    [
      'a password manager that is not installed',
      table('p', 'source = { onepassword = "op://v/i/f" }\ninject = { kind = "bearer" }\nenvironment = ["P"]'),
      {},
      { kind: 'missing' },
    ],
  ] as const)('%s', async (...[, credentials, environment, state]) => {
    const [found, ...more] = await checked(credentials, environment);
    expect(more).toEqual([]);
    expect(found?.state).toMatchObject(state);
    expect(JSON.stringify(found)).not.toContain('EXAMPLEcanary');
  });
});
