import { describe, expect, test } from 'vitest';
import { canonicalProposal, decide, environmentOf, parsePolicy, type Proposal } from './index.ts';
import { documentFrom, policyFrom } from './testing/policies.ts';
import { connect, file, socket } from './testing/requests.ts';

const text = `[[propose]]
name = "fetch-schema"
reason = "the build downloads its schema"
[propose.network]
hosts = ["schema.example.com:443", "cdn.example.com"]
[propose.files]
read = ["~/schemas"]
write = ["/srv/out"]
[propose.sockets]
allow = ["/run/db.sock"]
[propose.environment]
pass = ["SCHEMA_TOKEN"]
[propose.environment.set]
SCHEMA_MODE = "strict"
`;

function proposal(source = text): Proposal {
  const [first] = documentFrom(source).value.propose ?? [];
  if (first === undefined) throw new Error('there is no proposal');
  return first;
}

describe('a proposal', () => {
  test('is never in force by itself', () => {
    const policy = policyFrom({ project: text });
    for (const request of [connect('schema.example.com'), file('read', '~/schemas/x'), file('write', '/srv/out/x'), socket('/run/db.sock')]) expect(decide(policy, request).decision).toBe('deny');
    expect(environmentOf(policy, { SCHEMA_TOKEN: 'x' }).environment).toEqual({});
  });

  test('grants what it says once the user has accepted it', () => {
    const { files, network, sockets, environment } = proposal();
    const policy = policyFrom({ project: text, granted: [{ name: 'proposal fetch-schema', file: 'holdfast.toml', grants: { files, network, sockets, environment } }] });
    for (const request of [connect('schema.example.com'), file('read', '~/schemas/x'), file('write', '/srv/out/x'), socket('/run/db.sock')]) expect(decide(policy, request).decision).toBe('allow');
    expect(decide(policy, connect('schema.example.com', 80)).decision).toBe('deny');
    expect(decide(policy, connect('cdn.example.com'))).toMatchObject({ rule: 'proposal fetch-schema cdn.example.com', file: 'holdfast.toml' });
    expect({ ...environmentOf(policy, { SCHEMA_TOKEN: 'x' }).environment }).toEqual({ SCHEMA_TOKEN: 'x', SCHEMA_MODE: 'strict' });
  });

  test('cannot ask for releases, rules, limits or another backend', () => {
    for (const key of ['files.release = ["x"]', 'network.deny = ["x"]', 'limits.memory = "1GiB"', 'backend.use = "native"', 'commands.allow = ["x"]']) {
      expect(parsePolicy(`version = 1\n[[propose]]\nname = "a"\nreason = "b"\n${key}`, { file: 'x' }).kind, key).toBe('problems');
    }
  });

  test('has its patterns checked like any other', () => {
    for (const [section, value] of [['files', 'read = ["../x"]'], ['network', 'hosts = ["*"]'], ['sockets', 'allow = [""]'], ['environment', 'pass = ["A-B"]']]) {
      expect(parsePolicy(`version = 1\n[[propose]]\nname = "a"\nreason = "b"\n[propose.${section}]\n${value}`, { file: 'x' }), section).toMatchObject({ kind: 'problems', problems: [{ line: 6 }] });
    }
  });
});

describe('its canonical text', () => {
  const canonical = canonicalProposal(proposal());

  test('does not depend on order, layout or repetition', () => {
    const other = `[[propose]]
reason = 'the build downloads its schema'
name = """fetch-schema"""
environment = { set = { SCHEMA_MODE = "strict" }, pass = ["SCHEMA_TOKEN"] }
sockets.allow = ["/run/db.sock"]
files = { write = ["/srv/out"], read = [ "~/schemas" ] }
network = { hosts = ["cdn.example.com", "schema.example.com:443", "cdn.example.com"] }
`;
    expect(canonicalProposal(proposal(other))).toBe(canonical);
  });

  test.each([
    ['the name', 'fetch-schema', 'fetch-schemb'],
    ['the reason', 'downloads', 'uploads'],
    ['a host', 'cdn.example.com', 'cdn.example.org'],
    ['a port', ':443', ':80'],
    ['a path', '~/schemas', '~/secrets'],
    ['what a path is for', 'write = ["/srv/out"]', 'ephemeral = ["/srv/out"]'],
    ['a variable', 'SCHEMA_TOKEN', 'OTHER_TOKEN'],
    ['a value', '"strict"', '"lax"'],
    ['one more grant', 'read = ["~/schemas"]', 'read = ["~/schemas", "~/x"]'],
    ['one grant fewer', 'allow = ["/run/db.sock"]', 'allow = []'],
  ])('changes with %s', (_, from, to) => {
    expect(text).toContain(from);
    expect(canonicalProposal(proposal(text.replace(from, to)))).not.toBe(canonical);
  });

  test('tells lists apart that run together', () => {
    const hosts = (list: string): string => canonicalProposal(proposal(`[[propose]]\nname = "a"\nreason = "b"\n[propose.environment]\npass = ${list}`));
    expect(hosts('["A", "B"]')).not.toBe(hosts('["AB"]'));
    expect(hosts('[]')).not.toBe(canonicalProposal(proposal('[[propose]]\nname = "a"\nreason = "b"')));
  });
});
