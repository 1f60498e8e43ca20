import { describe, expect, test } from 'vitest';
import type { Credential, CredentialFormat } from '../../policy/credentials/types.ts';
import { type HostPattern, parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import { deliverSecrets, type Deliverable, routesOf } from './deliver.ts';
import { routeName } from '../../policy/credentials/types.ts';

function host(text: string): HostPattern {
  const parsed = parseHostPattern(text);
  if (parsed.kind === 'problem') throw new Error(text);
  return parsed;
}

function credential(parts: Partial<Credential> & { readonly hosts?: readonly string[] } = {}): Credential {
  const { hosts = ['api.example.com:443'], ...rest } = parts;
  return {
    name: 'example',
    source: { kind: 'env', variable: 'EXAMPLE' },
    binding: { hosts: hosts.map(host), transport: 'tls' },
    injection: { kind: 'bearer' },
    delivery: { environment: [], files: [], baseUrls: [] },
    use: 'phantom',
    origin: { layer: 'user', file: 'policy.toml', line: 1, rule: 'credentials[0]' },
    ...rest,
  };
}

function deliverable(of: Credential): Deliverable {
  return {
    credential: of,
    phantom: (role) => (role === 'secret' ? `PHANTOM-${of.name}` : `PHANTOM-${of.name}-${role}`),
  };
}

function delivery(parts: Partial<Credential['delivery']>): Credential['delivery'] {
  return { environment: [], files: [], baseUrls: [], ...parts };
}

function inFile(format: CredentialFormat, path = '/home/dev/.file'): Credential['delivery'] {
  return delivery({ files: [{ path, format, claims: 'kept' }] });
}

const nothing = { readFile: () => undefined, gitSettings: 0 };

describe('variables of a box', () => {
  test('hold phantoms where their templates say so', () => {
    const one = credential({
      delivery: delivery({
        environment: [
          { name: 'TOKEN', template: '{phantom}' },
          { name: 'DATABASE_URL', template: 'postgres://app:{phantom}@db/app?p={phantom}' },
        ],
      }),
    });
    expect(deliverSecrets([deliverable(one)], nothing).environment).toEqual({
      TOKEN: 'PHANTOM-example',
      DATABASE_URL: 'postgres://app:PHANTOM-example@db/app?p=PHANTOM-example',
    });
  });

  test('hold the phantom of an access key', () => {
    const one = credential({
      delivery: delivery({ environment: [{ name: 'AWS_ACCESS_KEY_ID', template: '{phantom:accessKeyId}' }] }),
    });
    expect(deliverSecrets([deliverable(one)], nothing).environment).toEqual({
      AWS_ACCESS_KEY_ID: 'PHANTOM-example-accessKeyId',
    });
  });

  test('name the host that exists in boxes only', () => {
    const one = credential({
      name: 'Open.AI_main',
      delivery: delivery({ baseUrls: [{ name: 'OPENAI_BASE_URL', path: '/v1' }] }),
    });
    expect(deliverSecrets([deliverable(one)], nothing).environment).toEqual({
      OPENAI_BASE_URL: 'http://open-ai-main.credentials.holdfast/v1',
    });
    expect([...routesOf([one])]).toEqual([[routeName(one), { host: 'api.example.com', port: 443 }]]);
  });

  test.each([
    ['postgres', { PGSSLROOTCERT: '/run/holdfast/trust/bundle.pem' }],
    ['redis', {}],
  ] as const)('lead libpq to the authority of the session where it has a database: %s', (kind, expected) => {
    expect(
      deliverSecrets([deliverable(credential({ injection: { kind, mode: 'read-only', tls: 'verify-full' } }))], nothing)
        .environment,
    ).toEqual(expected);
  });
});

describe('routes', () => {
  test('lead to the first host that is spelled out', () => {
    const one = credential({
      hosts: ['*.example.com:443', 'b.example.com:8443'],
      delivery: delivery({ baseUrls: [{ name: 'A', path: '' }] }),
    });
    expect([...routesOf([one]).values()]).toEqual([{ host: 'b.example.com', port: 8443 }]);
  });

  test.each([
    [credential()],
    [credential({ hosts: ['*.example.com'], delivery: delivery({ baseUrls: [{ name: 'A', path: '' }] }) })],
  ])('are missing without a variable or a host', (one) => {
    expect(routesOf([one]).size).toBe(0);
  });
});

test.each([
  [['localhost:3000'], 'credential.https://localhost:3000.helper'],
  [['*.example.com:443'], 'credential.https://*.example.com.helper'],
  [['10.0.0.0/8:443'], 'credential.https://nowhere.invalid.helper'],
])('git asks the helper for %s alone', (hosts, key) => {
  expect(
    deliverSecrets([deliverable(credential({ hosts, delivery: inFile('git', '/home/dev/.git-credentials') }))], nothing)
      .environment['GIT_CONFIG_KEY_0'],
  ).toBe(key);
});

test('the route of a credential of this machine leads to its loopback', () => {
  const one = credential({ hosts: ['localhost:8443'], delivery: delivery({ baseUrls: [{ name: 'A', path: '' }] }) });
  expect([...routesOf([one]).values()]).toEqual([{ host: '127.0.0.1', port: 8443 }]);
});

describe('files of a box', () => {
  test('are made where the host has none, for their owner alone', () => {
    const { files } = deliverSecrets([deliverable(credential({ delivery: inFile('netrc') }))], nothing);
    expect(files).toEqual([
      {
        kind: 'file',
        target: '/home/dev/.file',
        mode: 0o600,
        content: 'machine api.example.com\nlogin token\npassword PHANTOM-example\n',
      },
    ]);
  });

  test('are those of the host but for their secrets', () => {
    const readFile = () =>
      '# mine\nmachine api.example.com login me password EXAMPLE-secret\nmachine other.example login me password EXAMPLE-other\n';
    const { files } = deliverSecrets([deliverable(credential({ delivery: inFile('netrc') }))], {
      ...nothing,
      readFile,
    });
    expect(files[0]?.content).toBe(
      '#masked-by-holdfast\nmachine api.example.com login me password PHANTOM-example\nmachine other.example login me password masked-by-holdfast\n',
    );
  });

  test('are shared by several credentials', () => {
    const two = ['a', 'b'].map((name) =>
      deliverable(credential({ name, hosts: [`${name}.example:443`], delivery: inFile('netrc') })),
    );
    const { files } = deliverSecrets(two, nothing);
    expect(files.map(({ content }) => content)).toEqual([
      'machine a.example\nlogin token\npassword PHANTOM-a\nmachine b.example\nlogin token\npassword PHANTOM-b\n',
    ]);
  });

  test('a private key in one is never there, though its host is', () => {
    const readFile = () =>
      'apiVersion: v1\nusers:\n- name: u\n  user: {client-key-data: RVhBTVBMRQ==, token: EXAMPLE}\n';
    const { files } = deliverSecrets([deliverable(credential({ delivery: inFile('kubeconfig') }))], {
      ...nothing,
      readFile,
    });
    expect(files[0]?.content).toContain('client-key-data: "masked-by-holdfast", token: "PHANTOM-example"');
  });

  test.each([
    ['that cannot be understood', 'docker', '{'],
    ['that is not there and cannot be made up', 'kubeconfig', undefined],
  ] as const)('one %s refuses the box', (_, format, text) => {
    const box = () =>
      deliverSecrets([deliverable(credential({ delivery: inFile(format) }))], { ...nothing, readFile: () => text });
    expect(box).toThrow(expect.objectContaining({ code: 'HF_CREDENTIAL_FILE' }));
  });

  test('git asks a helper, whose settings come after those there are', () => {
    const made = deliverSecrets([deliverable(credential({ name: 'gh', delivery: inFile('git') }))], {
      ...nothing,
      gitSettings: 2,
    });
    expect(made.environment).toEqual({
      GIT_CONFIG_COUNT: '3',
      GIT_CONFIG_KEY_2: 'credential.https://api.example.com.helper',
      GIT_CONFIG_VALUE_2: '!f() { test "$1" = get && cat /run/holdfast/credentials/git-gh; }; f',
    });
    expect(made.files.map(({ target, content }) => [target, content])).toEqual([
      ['/home/dev/.file', 'https://x-access-token:PHANTOM-gh@api.example.com\n'],
      ['/run/holdfast/credentials/git-gh', 'username=x-access-token\npassword=PHANTOM-gh\n'],
    ]);
  });
});
