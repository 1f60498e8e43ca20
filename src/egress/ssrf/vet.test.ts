import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Refused, Resolution, Vetted } from '../types.ts';
import { classifyAddress } from './classify-address.ts';
import { decideUrl } from './decide-url.ts';
import { answerPayloads, namePayloads, redirectPayloads } from './testing/answer-payloads.ts';
import { authorityOf, verdictOf } from './testing/authorities.ts';
import {
  blockPayloads,
  metadataPayloads,
  schemePayloads,
  spellingPayloads,
  syntaxPayloads,
} from './testing/url-payloads.ts';
import { classifyName, specialNames, vet, type VetContext } from './vet.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const withIPv4 = new Set(['127.0.0.1', '::1', '192.0.2.2']);

function contextOf(granted: readonly string[] = [], more: Partial<VetContext> = {}): VetContext {
  return { authority: authorityOf(granted), own: () => withIPv4, ...more };
}

function answer(addresses: readonly string[], aliases: readonly string[] = []): Resolution {
  return { kind: 'resolved', addresses, aliases };
}

function outcome(result: Vetted | Refused): string {
  return result.kind === 'refused' ? result.refusal.code : 'passes';
}

describe('payloads', () => {
  const urls = [...blockPayloads, ...metadataPayloads, ...spellingPayloads, ...syntaxPayloads, ...schemePayloads];

  test('are at least 180, without duplicates', () => {
    expect(urls.length + namePayloads.length + answerPayloads.length + redirectPayloads.length).toBeGreaterThanOrEqual(
      180,
    );
    expect(new Set(urls.map(([url]) => url)).size).toBe(urls.length);
  });

  test.each(urls)('%j: %s (%s)', (url, expected) => {
    const decided = decideUrl(url);
    const result =
      decided.kind === 'refused' ? decided : vet(decided.destination, answer(['93.184.215.14']), contextOf());
    expect(outcome(result)).toBe(expected);
  });

  test.each([...namePayloads, ...answerPayloads])(
    '%s by %j at %j: %s (%s)',
    (...[host, aliases, addresses, expected]) => {
      expect(outcome(vet({ host, port: 443 }, answer(addresses, aliases), contextOf()))).toBe(expected);
    },
  );
});

describe('vetted addresses', () => {
  test('are all addresses, canonical, each once, in order', () => {
    const result = vet(
      { host: 'a.example.com', port: 443 },
      answer(['2606:4700:0::1111', '93.184.215.14', '2606:4700::1111']),
      contextOf(),
    );
    expect(result).toEqual({
      kind: 'vetted',
      destination: { host: 'a.example.com', port: 443 },
      addresses: ['2606:4700::1111', '93.184.215.14'],
    });
  });

  test('are the literal, despite any resolution', () => {
    expect(vet({ host: '93.184.215.14', port: 80 }, undefined, contextOf())).toMatchObject({
      kind: 'vetted',
      addresses: ['93.184.215.14'],
    });
    expect(vet({ host: '93.184.215.14', port: 80 }, answer(['127.0.0.1']), contextOf())).toMatchObject({
      addresses: ['93.184.215.14'],
    });
  });

  test('a name without a resolution is refused', () => {
    expect(outcome(vet({ host: 'a.example.com', port: 80 }, undefined, contextOf()))).toBe('resolver-failed');
  });
});

describe('a policy that spells out an address', () => {
  test('opens it at its port, by literal and by name', () => {
    const context = contextOf(['10.1.2.3 5432']);
    expect(outcome(vet({ host: '10.1.2.3', port: 5432 }, undefined, context))).toBe('passes');
    expect(outcome(vet({ host: '10.1.2.3', port: 5433 }, undefined, context))).toBe('special-address');
    expect(outcome(vet({ host: 'db.example.com', port: 5432 }, answer(['10.1.2.3']), context))).toBe('passes');
    expect(outcome(vet({ host: 'db.example.com', port: 5432 }, answer(['10.1.2.3', '10.1.2.4']), context))).toBe(
      'special-address',
    );
  });

  test('opens a special name if it spells out all its addresses', () => {
    const context = contextOf(['127.0.0.1 8000', '93.184.215.14 8000']);
    expect(outcome(vet({ host: 'localhost', port: 8000 }, answer(['127.0.0.1']), context))).toBe('passes');
    expect(outcome(vet({ host: 'localhost', port: 8000 }, answer(['127.0.0.1', '::1']), context))).toBe(
      'special-address',
    );
    expect(outcome(vet({ host: 'wiki.internal', port: 8000 }, answer(['93.184.215.14']), context))).toBe('passes');
    expect(
      outcome(vet({ host: 'wiki.internal', port: 8000 }, answer(['93.184.215.14', '93.184.215.15']), context)),
    ).toBe('special-name');
  });

  test.each(['ask', 'deny', 'stage', 'redirect'] as const)('and answers %s does not open it', (decision) => {
    const context = contextOf([], { authority: { decideAddress: () => verdictOf(decision) } });
    const result = vet({ host: '10.1.2.3', port: 22 }, undefined, context);
    expect(result).toMatchObject({ kind: 'refused', refusal: { code: 'special-address', verdict: { decision } } });
  });

  test('with audit opens it', () => {
    expect(
      outcome(
        vet(
          { host: '10.1.2.3', port: 22 },
          undefined,
          contextOf([], { authority: { decideAddress: () => verdictOf('audit') } }),
        ),
      ),
    ).toBe('passes');
  });

  test('never opens the fake range', () => {
    const everything = contextOf([], { authority: { decideAddress: () => verdictOf('allow') } });
    expect(outcome(vet({ host: 'a.example.com', port: 80 }, answer(['198.18.3.4']), everything))).toBe(
      'special-address',
    );
    expect(outcome(vet({ host: '198.19.3.4', port: 80 }, undefined, everything))).toBe('special-address');
    expect(outcome(vet({ host: 'a.example.com', port: 80 }, answer(['::ffff:198.18.3.4']), everything))).toBe(
      'special-address',
    );
  });

  test('that denies a network denies the names that resolve to it', () => {
    const context = contextOf([], {
      authority: {
        decideAddress: (address) =>
          verdictOf('deny', { code: address === '93.184.215.14' ? 'deny-set' : 'not-granted' }),
      },
    });
    expect(vet({ host: 'a.example.com', port: 443 }, answer(['93.184.215.14']), context)).toMatchObject({
      refusal: { code: 'policy', verdict: { code: 'deny-set' } },
    });
    expect(outcome(vet({ host: 'a.example.com', port: 443 }, answer(['93.184.215.15']), context))).toBe('passes');
  });
});

describe("the host's own addresses", () => {
  const own = () => new Set(['127.0.0.1', '93.184.215.14', '2a00:1::1']);

  test('are special although they are global', () => {
    expect(outcome(vet({ host: '93.184.215.14', port: 22 }, undefined, contextOf([], { own })))).toBe(
      'special-address',
    );
    expect(outcome(vet({ host: 'a.example.com', port: 22 }, answer(['2a00:1::1']), contextOf([], { own })))).toBe(
      'special-address',
    );
    expect(outcome(vet({ host: 'a.example.com', port: 22 }, answer(['2a00:1::2']), contextOf([], { own })))).toBe(
      'passes',
    );
  });

  test('pass when a policy spells them out', () => {
    expect(outcome(vet({ host: '93.184.215.14', port: 22 }, undefined, contextOf(['93.184.215.14 22'], { own })))).toBe(
      'passes',
    );
  });

  test('are read at every connection', () => {
    let addresses = new Set<string>();
    const context = contextOf([], { own: () => addresses });
    expect(outcome(vet({ host: '93.184.215.14', port: 22 }, undefined, context))).toBe('passes');
    addresses = new Set(['93.184.215.14']);
    expect(outcome(vet({ host: '93.184.215.14', port: 22 }, undefined, context))).toBe('special-address');
  });
});

describe('NAT64', () => {
  const onlyIPv6 = () => new Set(['127.0.0.1', '::1', '2a00:1::1']);
  const synthesised = answer(['64:ff9b::93.184.215.14']);

  test('means its IPv4 address on a host without IPv4', () => {
    expect(outcome(vet({ host: 'a.example.com', port: 443 }, synthesised, contextOf([], { own: onlyIPv6 })))).toBe(
      'passes',
    );
    expect(
      outcome(
        vet({ host: 'a.example.com', port: 443 }, answer(['64:ff9b::10.0.0.1']), contextOf([], { own: onlyIPv6 })),
      ),
    ).toBe('special-address');
    expect(
      outcome(
        vet(
          { host: 'a.example.com', port: 443 },
          answer(['64:ff9b::169.254.169.254']),
          contextOf([], { own: onlyIPv6 }),
        ),
      ),
    ).toBe('special-address');
  });

  test('is refused on a host with IPv4', () => {
    expect(outcome(vet({ host: 'a.example.com', port: 443 }, synthesised, contextOf()))).toBe('special-address');
  });

  test('follows the caller’s setting', () => {
    expect(outcome(vet({ host: 'a.example.com', port: 443 }, synthesised, contextOf([], { nat64: 'decode' })))).toBe(
      'passes',
    );
    expect(
      outcome(
        vet({ host: 'a.example.com', port: 443 }, synthesised, contextOf([], { own: onlyIPv6, nat64: 'refuse' })),
      ),
    ).toBe('special-address');
  });
});

describe('a refusal', () => {
  test('names the address, its class, the source and the remedy', () => {
    const result = vet({ host: 'a.example.com', port: 8080 }, answer(['fd00::1']), contextOf());
    expect(result).toMatchObject({
      refusal: { message: 'a.example.com leads to fd00::1, which is unique local (fc00::/7, RFC 4193)' },
    });
    expect(result.kind === 'refused' ? result.refusal.remedy : '').toContain('"[fd00::1]:8080"');
  });

  test('names the alias', () => {
    const result = vet({ host: 'a.example.com', port: 443 }, answer(['93.184.215.14'], ['metadata.goog']), contextOf());
    expect(result.kind === 'refused' ? result.refusal.message : '').toContain(
      'a.example.com is an alias of metadata.goog',
    );
  });

  test('is one line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.string({ unit: 'binary', maxLength: 30 }),
        (host, other) => {
          const result = vet({ host, port: 1 }, answer([other], [other]), contextOf());
          if (result.kind === 'refused')
            expect(result.refusal.message + result.refusal.remedy).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

test('for any resolution, only global addresses pass without a grant', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('93.184.215.14', '2a00::1', '10.0.0.1', '::1', 'x', ''),
  );
  fc.assert(
    fc.property(fc.array(address, { maxLength: 18 }), fc.array(fc.domain(), { maxLength: 3 }), (addresses, aliases) => {
      const result = vet({ host: 'a.example.com', port: 443 }, answer(addresses, aliases), contextOf());
      if (result.kind === 'refused') return;
      expect(result.addresses.length).toBeGreaterThan(0);
      for (const vetted of result.addresses) expect(classifyAddress(vetted).kind).toBe('global');
      for (const given of addresses) expect(classifyAddress(given).kind).toBe('global');
    }),
    { numRuns: rounds(1000) },
  );
});

test.each([
  ['localhost', '*.localhost'],
  ['a.b.localhost', '*.localhost'],
  ['metadata.google.internal', '*.metadata.google.internal'],
  ['other.google.internal', '*.internal'],
  ['kubernetes.default.svc.cluster.local', '*.cluster.local'],
  ['kubernetes.default.svc', '*.svc'],
  ['a.kubernetes.default', '*.kubernetes.default'],
  ['printer.local', '*.local'],
  ['intranet', 'single label'],
  ['x1', 'single label'],
])('%s is special as %s', (name, pattern) => {
  expect(classifyName(name)).toMatchObject({ kind: 'special', pattern });
});

test.each([
  'example.com',
  'localhost.example',
  'local.example',
  'mylocal.de',
  'a.mylocalhost',
  'internal.example',
  'home.arpa.example',
  'arpa.home',
  'metadata.google.com',
  'in-addr.arpa',
])('%s is ordinary', (name) => {
  expect(classifyName(name)).toEqual({ kind: 'ordinary' });
});

test.each(specialNames)('$name and the names below it, with a source', ({ name, extent, source }) => {
  expect(normaliseHost(name)?.text).toBe(name);
  expect(source.length).toBeGreaterThan(3);
  expect(classifyName(name).kind).toBe('special');
  if (extent === 'tree') expect(classifyName(`a.b.${name}`).kind).toBe('special');
  expect(classifyName(`x${name}.example.com`).kind).toBe('ordinary');
});

test('any name below a special tree is special', () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(label, { maxLength: 4 }), fc.constantFrom(...specialNames), (labels, { name }) => {
      expect(classifyName([...labels, name].join('.')).kind).toBe('special');
    }),
  );
});
