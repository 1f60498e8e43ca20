import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { parsePolicy } from './document/parse.ts';
import type { Proposal } from './document/types.ts';
import { environmentOf } from './settings/build-environment.ts';
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
    for (const request of [
      connect('schema.example.com'),
      file('read', '~/schemas/x'),
      file('write', '/srv/out/x'),
      socket('/run/db.sock'),
    ])
      expect(decide(policy, request).decision).toBe('deny');
    expect(environmentOf(policy, { SCHEMA_TOKEN: 'x' }).environment).toEqual({});
  });

  test('grants its contents once the user has accepted it', () => {
    const { files, network, sockets, environment } = proposal();
    const policy = policyFrom({
      project: text,
      granted: [
        { name: 'proposal fetch-schema', file: 'holdfast.toml', grants: { files, network, sockets, environment } },
      ],
    });
    for (const request of [
      connect('schema.example.com'),
      file('read', '~/schemas/x'),
      file('write', '/srv/out/x'),
      socket('/run/db.sock'),
    ])
      expect(decide(policy, request).decision).toBe('allow');
    expect(decide(policy, connect('schema.example.com', 80)).decision).toBe('deny');
    expect(decide(policy, connect('cdn.example.com'))).toMatchObject({
      rule: 'proposal fetch-schema cdn.example.com',
      file: 'holdfast.toml',
    });
    expect({ ...environmentOf(policy, { SCHEMA_TOKEN: 'x' }).environment }).toEqual({
      SCHEMA_TOKEN: 'x',
      SCHEMA_MODE: 'strict',
    });
  });

  test('cannot ask for releases, rules, limits or another backend', () => {
    for (const key of [
      'files.release = ["x"]',
      'network.deny = ["x"]',
      'limits.memory = "1GiB"',
      'backend.use = "native"',
      'commands.allow = ["x"]',
    ]) {
      expect(parsePolicy(`version = 1\n[[propose]]\nname = "a"\nreason = "b"\n${key}`, { file: 'x' }).kind, key).toBe(
        'problems',
      );
    }
  });

  test('has its patterns checked like any other', () => {
    for (const [section, value] of [
      ['files', 'read = ["../x"]'],
      ['network', 'hosts = ["*"]'],
      ['sockets', 'allow = [""]'],
      ['environment', 'pass = ["A-B"]'],
    ]) {
      expect(
        parsePolicy(`version = 1\n[[propose]]\nname = "a"\nreason = "b"\n[propose.${section}]\n${value}`, {
          file: 'x',
        }),
        section,
      ).toMatchObject({ kind: 'problems', problems: [{ line: 6 }] });
    }
  });
});
