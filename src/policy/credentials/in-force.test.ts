import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import { compileLayer, userLayer } from '../layers/compile-layer.ts';
import type { Layer } from '../layers/layer.ts';
import { meet, type Policy, policyOf } from '../policy.ts';
import { networkPlan } from '../settings/network-plan.ts';
import { tlsTreatment } from '../settings/tls-treatment.ts';
import { documentFrom, places, policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { brokerFor } from './broker-for.ts';
import { credentialsOf, watchOf } from './credentials-of.ts';
import { openNetwork, tableText } from './testing/credentials.ts';
import type { Credential } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const namesOf = (policy: Policy): readonly string[] => credentialsOf(policy).map(({ name }) => name);
const named = (name: string, lines = ''): string =>
  tableText(
    `name = "${name}"\nenvironment = ["TOKEN_OF_${name.toUpperCase().replaceAll('-', '_')}"]${lines === '' ? '' : `\n${lines}`}`,
  );
const watch = (value: string): string => `[network]\nwatch = "${value}"\n`;

describe('the credentials of a policy', () => {
  test("are those of the managed, the user's and the session's policy", () => {
    expect(credentialsOf(policyFrom())).toEqual([]);
    expect(namesOf(policyFrom({ managed: named('m'), user: named('u1') + named('u2'), session: named('s') }))).toEqual([
      'm',
      'u1',
      'u2',
      's',
    ]);
  });

  test('of equal name are the one with more authority', () => {
    const policy = policyFrom({
      managed: named('same', 'hosts = ["managed.test"]'),
      user: named('same', 'hosts = ["user.test"]'),
    });
    expect(credentialsOf(policy).map(({ origin, binding }) => [origin.layer, binding.hosts[0]?.source])).toEqual([
      ['managed', 'managed.test'],
    ]);
  });

  test('are gone when their table is, and others when it changes', () => {
    expect(namesOf(policyFrom({ user: named('a') + named('b') }))).toEqual(['a', 'b']);
    expect(namesOf(policyFrom({ user: named('b') }))).toEqual(['b']);
    const [changed] = credentialsOf(policyFrom({ user: named('b', 'hosts = ["other.test"]') }));
    expect(changed?.binding.hosts[0]?.source).toBe('other.test');
  });
});

describe('hosts without a credential are watched', () => {
  test.each<[PolicyTexts, ReturnType<typeof watchOf>]>([
    [{}, 'every-host'],
    [{ user: watch('every-host') }, 'every-host'],
    [{ user: watch('bound-hosts') }, 'bound-hosts'],
    [{ user: watch('bound-hosts'), project: watch('bound-hosts') }, 'bound-hosts'],
    [{ user: watch('bound-hosts'), project: watch('every-host') }, 'every-host'],
    [{ user: watch('bound-hosts'), managed: watch('every-host') }, 'every-host'],
    [{ managed: watch('bound-hosts') }, 'every-host'],
    [{ project: watch('bound-hosts') }, 'every-host'],
    [{ session: watch('bound-hosts') }, 'every-host'],
  ])('%j: %s', (texts, expected) => {
    expect(watchOf(policyFrom(texts))).toBe(expected);
  });

  test('also where there is no policy of a user', () => {
    expect(watchOf(policyOf([]))).toBe('every-host');
    expect(
      watchOf(policyOf([compileLayer(documentFrom(watch('bound-hosts'), 'p.toml'), { kind: 'project', ...places })])),
    ).toBe('every-host');
  });

  test('as the policy in force says', () => {
    const statements = policyFrom({ user: watch('bound-hosts') })
      .layers.flatMap((layer) => layer.statements())
      .filter(({ subject }) => subject === 'network.watch');
    expect(statements).toMatchObject([{ value: 'bound-hosts', origin: { line: 3 } }]);
  });
});

describe('TLS', () => {
  const api = named('api', 'hosts = ["api.test", "*.wild.test:8443"]');
  const db = named('db', 'hosts = ["db.test"]\ninject = { kind = "postgres" }');
  const user = `[network]\nhosts = ["api.test", "*.wild.test", "db.test", "other.test", "10.0.0.0/8", "localhost:3000"]\ndeny = ["denied.wild.test"]\n`;

  test.each<[string, string, number, string]>([
    [api, 'api.test', 443, 'intercept'],
    [api, 'API.TEST.', 443, 'intercept'],
    [api, 'api.test', 8443, 'watch'],
    [api, 'a.wild.test', 8443, 'intercept'],
    [api, 'a.wild.test', 443, 'watch'],
    [api, 'other.test', 443, 'watch'],
    [api, 'other.test', 25, 'watch'],
    [api, '10.1.2.3', 443, 'watch'],
    [api, 'localhost', 3000, 'watch'],
    [api, 'denied.wild.test', 8443, 'splice'],
    [api, 'nowhere.test', 443, 'splice'],
    [api, 'not a host', 443, 'intercept'],
    ['', 'api.test', 443, 'splice'],
    ['', 'other.test', 443, 'splice'],
    [db, 'db.test', 5432, 'splice'],
    [db, 'db.test', 443, 'watch'],
    [db, 'other.test', 5432, 'watch'],
    [api + db, 'api.test', 443, 'intercept'],
    [api + db, 'db.test', 5432, 'splice'],
  ])('%#: %j to %s:%i is %s', (...[tables, host, port, expected]) => {
    expect(tlsTreatment(policyFrom({ user: user + tables }), { host, port })).toBe(expected);
  });

  test.each<[string, string, number, string]>([
    ['bound hosts are intercepted', 'api.test', 443, 'intercept'],
    ['others are spliced', 'other.test', 443, 'splice'],
    ['databases too', 'db.test', 5432, 'splice'],
  ])('is watched nowhere when the user says so: %s', (...[, host, port, expected]) => {
    expect(
      tlsTreatment(policyFrom({ user: user.replace('[network]', '[network]\nwatch = "bound-hosts"') + api + db }), {
        host,
        port,
      }),
    ).toBe(expected);
  });

  // Attack: intercepting or watching looks up the name and dials the host.
  test('is never ended where no layer lets a connection pass', () => {
    const closed = '[network]\nhosts = ["other.test"]';
    expect(tlsTreatment(policyFrom({ user: user + api, project: closed }), { host: 'api.test', port: 443 })).toBe(
      'splice',
    );
    expect(tlsTreatment(policyFrom({ user: user + api, project: closed }), { host: 'other.test', port: 443 })).toBe(
      'watch',
    );
    expect(
      tlsTreatment(policyFrom({ user: user + api, managed: '[network]\ndeny = ["api.test"]' }), {
        host: 'api.test',
        port: 443,
      }),
    ).toBe('splice');
    expect(
      tlsTreatment(policyFrom({ user: `${openNetwork}${api}`, project: '[network]\nhosts = []' }), {
        host: 'x.test',
        port: 443,
      }),
    ).toBe('splice');
  });

  test('is ended where only a rule about requests lets something pass', () => {
    const rule = '[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["api.test"]\nmethods = ["GET"]\n';
    expect(tlsTreatment(policyFrom({ user: rule + api }), { host: 'api.test', port: 443 })).toBe('intercept');
  });

  test('of a managed credential ends as well', () => {
    expect(tlsTreatment(policyFrom({ managed: api, user }), { host: 'api.test', port: 443 })).toBe('intercept');
  });

  test('passes unseen where a policy says so, beside a credential', () => {
    const text = user.replace('[network]', '[network]\npassthrough = ["other.test"]') + api;
    expect(tlsTreatment(policyFrom({ user: text }), { host: 'other.test', port: 443 })).toBe('passthrough');
  });
});

describe('the broker of a database', () => {
  const text = `${openNetwork}${named('pg', 'hosts = ["db.test", "db2.test:6432"]\ninject = { kind = "postgres" }')}${named('cache', 'hosts = ["db.test", "localhost:6380"]\ninject = { kind = "redis" }')}${named('web', 'hosts = ["db.test:5433"]')}`;

  test.each<[string, number, string | undefined]>([
    ['db.test', 5432, 'pg'],
    ['DB.test.', 5432, 'pg'],
    ['db2.test', 6432, 'pg'],
    ['db2.test', 5432, undefined],
    ['db.test', 6379, 'cache'],
    ['127.0.0.1', 6380, 'cache'],
    ['localhost', 6380, 'cache'],
    ['db.test', 443, undefined],
    ['db.test', 5433, undefined],
    ['x.db.test', 5432, undefined],
    ['not a host', 5432, undefined],
    ['db.test', 0, undefined],
  ])('of %s:%i is %s', (host, port, expected) => {
    expect(brokerFor(policyFrom({ user: text }), { host, port })?.name).toBe(expected);
  });

  test('is missing without credentials', () => {
    expect(brokerFor(policyFrom(), { host: 'db.test', port: 5432 })).toBeUndefined();
  });
});

describe('a need of a box', () => {
  const interception = (user: string) => {
    const plan = networkPlan(policyFrom({ user }));
    return plan.kind === 'open' ? plan.interception : plan.kind;
  };

  test('is an authority of its own as soon as there are credentials', () => {
    // If every host is open, models can be reached, and that is enough.
    const one = '[network]\nhosts = ["example.com:443"]\n';
    expect(interception(one)).toBe('none');
    expect(interception(one + named('a'))).toBe('possible');
    expect(interception(one + named('a', 'inject = { kind = "postgres" }'))).toBe('possible');
  });

  test('is nothing with a closed network', () => {
    expect(interception(named('a'))).toBe('closed');
  });

  test('is something that carries them', () => {
    const uses = policyFrom({ user: named('a') + named('b') }).layers.flatMap((layer) => layer.uses());
    expect(
      uses
        .filter(({ kind }) => kind === 'credential')
        .map(({ decision, origin, from }) => [decision, origin.rule, from]),
    ).toEqual([
      ['allow', 'a', 'list'],
      ['allow', 'b', 'list'],
    ]);
  });
});

describe('laws of the meet', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const host = fc.constantFrom('a.test', 'b.test', '*.test.test', 'db.test:5432');
  const kind = fc.constantFrom('bearer', 'postgres', 'redis');
  const table = fc
    .record({ name, host, kind })
    .map((parts) => named(parts.name, `hosts = ["${parts.host}"]\ninject = { kind = "${parts.kind}" }`));
  const watching = fc.constantFrom('', 'watch = "every-host"\n', 'watch = "bound-hosts"\n');
  const text = fc
    .tuple(watching, fc.array(table, { maxLength: 2 }))
    .map(([setting, tables]) => `[network]\nhosts = ["any"]\n${setting}${distinct(tables).join('')}`);
  const layer: fc.Arbitrary<Layer> = fc
    .tuple(text, fc.constantFrom('managed', 'user', 'session'))
    .map(([content, place]) => {
      const document = documentFrom(content, `${place}.toml`);
      return place === 'user' ? userLayer(document, places) : compileLayer(document, { kind: place, ...places });
    });
  const policy = fc.array(layer, { maxLength: 3 }).map(policyOf);
  const where = fc.record({
    host: fc.constantFrom('a.test', 'x.test.test', 'db.test', 'z.test'),
    port: fc.constantFrom(443, 5432, 6379),
  });
  const runs = { numRuns: rounds(300) } as const;

  function distinct(tables: readonly string[]): readonly string[] {
    return [...new Map(tables.map((each) => [each.split('\n')[1], each])).values()];
  }

  test('it has the credentials of both, each name once, whatever the order', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        const both = namesOf(meet(p, q));
        expect(new Set(both)).toEqual(new Set([...namesOf(p), ...namesOf(q)]));
        expect(new Set(both).size).toBe(both.length);
        expect(credentialsOf(meet(p, q))).toEqual(credentialsOf(meet(q, p)));
        expect(credentialsOf(meet(p, p))).toEqual(credentialsOf(p));
      }),
      runs,
    );
  });

  test('is associative in them', () => {
    fc.assert(
      fc.property(policy, policy, policy, (p, q, r) => {
        expect(credentialsOf(meet(meet(p, q), r))).toEqual(credentialsOf(meet(p, meet(q, r))));
      }),
      runs,
    );
  });

  test('a policy that is added never ends the watch', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        if (watchOf(p) === 'every-host') expect(watchOf(meet(p, q))).toBe('every-host');
      }),
      runs,
    );
  });

  test('where a credential could be put in, nothing is carried unseen', () => {
    fc.assert(
      fc.property(policy, where, (p, destination) => {
        const isBound = (each: Credential): boolean =>
          each.binding.hosts.some(
            ({ source, ports }) =>
              ports?.from === destination.port &&
              (source.split(':')[0] === destination.host ||
                (source.startsWith('*.') && destination.host.endsWith(source.slice(1)))),
          );
        const here = credentialsOf(p).filter(isBound);
        const isDatabase = here.some(({ injection }) => injection.kind !== 'bearer');
        const isOpen = decide(p, { kind: 'connect', ...destination, protocol: 'tcp' }).decision !== 'deny';
        if (isOpen && here.length > 0 && !isDatabase) expect(tlsTreatment(p, destination)).toBe('intercept');
        expect(brokerFor(p, destination) !== undefined).toBe(isDatabase);
      }),
      runs,
    );
  });
});
