import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import type { CredentialFormat } from '../../policy/credentials/types.ts';
import { type HostPattern, parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import { withoutClaims } from '../tokens/inject/capture-answer.ts';
import type { SecretField } from './fields.ts';
import { formats } from './formats/index.ts';
import { extractSecret } from './is-for.ts';
import { syntheticFile, generatedFile } from './synthesise.ts';
import { samples } from './testing/samples.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function shown({ role, user, host, port, value }: SecretField): string {
  const place =
    user === undefined && host === undefined
      ? ''
      : ` ${user === undefined ? '' : `${user}@`}${host ?? ''}${port === undefined ? '' : `:${port}`}`;
  return `${role}${place}=${value}`;
}

function pattern(text: string): HostPattern {
  const parsed = parseHostPattern(text);
  if (parsed.kind === 'problem') throw new Error(text);
  return parsed;
}

describe('the secret fields of a credential file', () => {
  test.each(samples)('$format: $name', ({ format, text, fields }) => {
    expect(formats[format](text).map(shown)).toEqual(fields);
  });

  test.each(samples)('$format: $name, stand where they are said to', ({ format, text }) => {
    for (const { start, end, value, encode } of formats[format](text)) {
      const written = text.slice(start, end);
      const again = `${text.slice(0, start)}${encode(value)}${text.slice(end)}`;
      expect(written).not.toBe('');
      expect(formats[format](again).map((field) => field.value)).toContain(value);
    }
  });

  test.each(['kubeconfig', 'gcloud', 'docker', 'json'] as const)(
    '%s: text that is neither JSON nor YAML is refused',
    (format) => {
      expect(() => formats[format]('{"a": [')).toThrow(SyntaxError);
    },
  );

  test('a YAML file of a thousand aliases is refused and does not grow', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\ntoken: [*c,*c,*c,*c,*c,*c]\n`;
    expect(() => formats.json(bomb)).toThrow(SyntaxError);
  });

  test.each(Object.keys(formats) as readonly CredentialFormat[])(
    '%s: any text is read or refused as no such file',
    (format) => {
      const pieces = constantFrom(
        'machine',
        'password',
        'login',
        '"',
        '\\',
        '\n',
        ' ',
        ':',
        '=',
        '//',
        '@',
        'https://',
        '[',
        ']',
        '{',
        '}',
        '_auth',
        '#',
        'macdef',
        'token',
        '&a',
        '*a',
        '- ',
        'é',
        '\0',
      );
      assert(
        property(array(oneof(pieces, string()), { maxLength: 40 }), (parts) => {
          const text = parts.join('');
          try {
            let last = 0;
            for (const { start, end } of formats[format](text)) {
              expect(start).toBeGreaterThanOrEqual(last);
              expect(end).toBeGreaterThanOrEqual(start);
              expect(end).toBeLessThanOrEqual(text.length);
              last = end;
            }
          } catch (error) {
            if (!(error instanceof SyntaxError)) throw error;
          }
        }),
        { numRuns: rounds(500) },
      );
    },
  );

  test('long hostile texts take no time', () => {
    const hostile = [
      'https://'.repeat(20_000),
      'a:'.repeat(50_000),
      `machine ${'"'.repeat(50_001)}`,
      '\\'.repeat(100_000),
      `A_KEY="${'\\'.repeat(99_999)}`,
      'macdef x\n'.repeat(10_000),
      `${'a'.repeat(100_000)}=`,
      ' '.repeat(20_000),
      `KEY=a${' '.repeat(50_000)}b`,
    ];
    const lines = ['text', 'netrc', 'npmrc', 'pgpass', 'pip', 'git', 'aws', 'dotenv'] as const;
    atMost(6000, () => {
      for (const text of hostile) for (const format of lines) formats[format](text);
    });
  });
});

describe('a synthetic file', () => {
  test.each(samples)('$format: $name, holds none of its secrets and reads like the real one', ({ format, text }) => {
    const real = formats[format](text);
    const made = syntheticFile(format, text, () => undefined);
    for (const { value } of real) if (value.length > 4 && value !== 'machine') expect(made).not.toContain(value);
    expect(formats[format](made).map((field) => shown({ ...field, value: '' }))).toEqual(
      real.map((field) => shown({ ...field, value: '' })),
    );
    expect(formats[format](made).every(({ value }) => value === 'masked-by-holdfast')).toBe(true);
  });

  test.each(samples)('$format: $name, with the phantom of each secret', ({ format, text }) => {
    const phantoms = formats[format](text)
      .map((_, index) => `phantom ${index}: "with" \\ and %`)
      .map((phantom) =>
        ['git', 'pip', 'netrc', 'pgpass', 'docker', 'kubeconfig', 'gcloud', 'json'].includes(format)
          ? phantom
          : phantom.replaceAll(/[^a-z0-9]/gu, ''),
      );
    let next = 0;
    const made = syntheticFile(format, text, () => phantoms[next++]);
    expect(formats[format](made).map(({ value }) => value)).toEqual(phantoms);
  });

  test.each(samples)('$format: $name, leaves every other byte alone', ({ format, text }) => {
    const outside = (of: string): string => {
      let last = 0;
      const kept = formats[format](of).map(({ start, end }) => {
        const between = of.slice(last, start);
        last = end;
        return between;
      });
      return [...kept, of.slice(last)].join('|');
    };
    // A comment behind a value is one too, and may hold an old secret.
    const uncommented = (of: string): string => of.replaceAll(/^[#;].*| #[^|\n]*/gmu, '# comment');
    expect(uncommented(outside(syntheticFile(format, text, () => undefined)))).toBe(uncommented(outside(text)));
  });

  test.each([
    ['dotenv', 'DATABASE_URL=postgres://app:CANARY-EXAMPLE@db.example.com/app\n'],
    ['dotenv', 'DB_PASSWORD=correct horse CANARY-EXAMPLE # staple\n'],
    ['dotenv', 'PRIVATE_KEY="-----BEGIN EXAMPLE-----\nCANARY-EXAMPLE\n-----END EXAMPLE-----"\nA=1\n'],
    ['dotenv', "API_TOKEN='a\nCANARY-EXAMPLE'\n"],
    ['dotenv', 'API_TOKEN="a" CANARY-EXAMPLE\n'],
    ['dotenv', 'API_TOKEN="CANARY-EXAMPLE\nB=2\n'],
    ['dotenv', 'API_TOKEN: CANARY-EXAMPLE\n'],
    ['dotenv', 'API_TOKEN=#CANARY-EXAMPLE\n'],
    ['dotenv', '# API_TOKEN=CANARY-EXAMPLE\n'],
    ['dotenv', 'API_TOKEN=CANARY-EXAMPLE\nHEADER=Bearer CANARY-EXAMPLE\n'],
    ['netrc', 'machine a.example login me password #CANARY-EXAMPLE\n'],
    ['netrc', 'machine a.example login me password "a\nCANARY-EXAMPLE"\n'],
    ['netrc', 'machine a.example login me passwd CANARY-EXAMPLE\n'],
    ['netrc', 'machine a.example login me account CANARY-EXAMPLE\n'],
    ['netrc', '  # machine a.example password CANARY-EXAMPLE\n'],
    ['npmrc', '"//r.example/:_authToken"=CANARY-EXAMPLE\n'],
    ['npmrc', '//r.example/:_authToken[]=CANARY-EXAMPLE\n'],
    ['npmrc', ';//r.example/:_authToken=CANARY-EXAMPLE\n'],
    ['npmrc', 'https-proxy=http://me:CANARY-EXAMPLE@proxy.example\n'],
    ['aws', '[a]\naws_secret_access_key: CANARY-EXAMPLE\n'],
    ['aws', '[a]\naws_security_token = CANARY-EXAMPLE\n'],
    ['aws', '[a]\n#aws_secret_access_key=CANARY-EXAMPLE\n'],
    ['pip', '[global]\nindex-url: https://me:CANARY-EXAMPLE@r.example/simple\n'],
    ['git', 'https://me:p@/?#CANARY-EXAMPLE@git.example\n'],
    ['git', 'https://me:CANARY-EXAMPLE@\n'],
    ['pgpass', '#db.example.com:5432:app:me:CANARY-EXAMPLE\n'],
    ['kubeconfig', 'users:\n- name: u\n  user:\n    # token: CANARY-EXAMPLE\n    token: other\n'],
    [
      'kubeconfig',
      'users:\n- name: u\n  user:\n    exec:\n      env:\n      - name: A\n        value: CANARY-EXAMPLE\n',
    ],
    ['kubeconfig', 'clusters:\n- name: c\n  cluster:\n    proxy-url: http://me:CANARY-EXAMPLE@proxy.example\n'],
    ['docker', '{"auths":{"r.example":{"Auth":"CANARY-EXAMPLE"}}}'],
    ['docker', '{"auths":{},"HttpHeaders":{"Authorization":"CANARY-EXAMPLE"}}'],
    ['gcloud', '{"refresh_token":"other","id_token":"CANARY-EXAMPLE"}'],
    ['json', '{"password":{"value":"CANARY-EXAMPLE"},"url":"https://me:CANARY-EXAMPLE@a.example"}'],
    ['json', '{"github-oauth":{"github.com":"CANARY-EXAMPLE"}}'],
    ['json', '{"aliases":{"a":{"accessKey":"x","secretKey":"CANARY-EXAMPLE"}}}'],
    [
      'json',
      '{"pass":"CANARY-EXAMPLE","jwt":"CANARY-EXAMPLE","signing_key":"CANARY-EXAMPLE","cookie":"CANARY-EXAMPLE"}',
    ],
    ['json', '{"args":["--verbose","--token","CANARY-EXAMPLE"]}'],
    ['json', '{"args":["--api-key=CANARY-EXAMPLE"]}'],
    ['json', '{"env":[{"name":"API_TOKEN","value":"CANARY-EXAMPLE"}]}'],
    ['json', '{"url":"https://a.example/?access_token=CANARY-EXAMPLE&x=1"}'],
    ['gcloud', '{"credential_source":{"headers":{"Authorization":"CANARY-EXAMPLE"}}}'],
    [
      'kubeconfig',
      'users:\n- name: u\n  user:\n    exec:\n      args: [get-token, --oidc-client-secret=CANARY-EXAMPLE]\n',
    ],
    ['kubeconfig', 'users:\n- name: u\n  user:\n    exec:\n      args:\n      - --token\n      - CANARY-EXAMPLE\n'],
    [
      'kubeconfig',
      'users:\n- name: u\n  user:\n    auth-provider:\n      config:\n        cmd-args: --secret CANARY-EXAMPLE\n',
    ],
    ['kubeconfig', 'users:\n- name: u\n  user:\n    token: other # CANARY-EXAMPLE\n'],
    ['npmrc', 'registry=https://r.example\n  //r.example/:_authToken=CANARY-EXAMPLE\n'],
    ['netrc', 'MACHINE a.example LOGIN me PASSWORD CANARY-EXAMPLE\n'],
    ['netrc', 'machine a.example login me password x # CANARY-EXAMPLE\n'],
    ['aws', '[a]\nregion = x\n  aws_secret_access_key = CANARY-EXAMPLE\n'],
    ['dotenv', 'CLIENTSECRET=CANARY-EXAMPLE\n'],
    ['dotenv', 'A=1 # CANARY-EXAMPLE\n'],
    ['dotenv', 'HOOK=https://a.example/?token=CANARY-EXAMPLE\n'],
  ] as const)('%s: %j, holds no secret wherever it stands', (format, text) => {
    const made = syntheticFile(format, text, () => undefined);
    expect(made).not.toContain('CANARY');
    expect(made).not.toBe(text);
  });

  test('numbers stay, and a password of digits is masked', () => {
    expect(syntheticFile('json', '{"max_tokens":4096,"password":12345678}', () => undefined)).toBe(
      '{"max_tokens":4096,"password":"masked-by-holdfast"}',
    );
    expect(
      syntheticFile('kubeconfig', 'users:\n- name: u\n  user:\n    password: 12345678\n', () => undefined),
    ).toContain('password: "masked-by-holdfast"\n');
  });

  test('is refused where a secret may stand under another name', () => {
    expect(() =>
      syntheticFile('kubeconfig', 'x: &a CANARY-EXAMPLE\nusers:\n- name: u\n  user:\n    token: *a\n', () => undefined),
    ).toThrow(SyntaxError);
  });

  test('a database URL has the phantom of its password', () => {
    expect(
      syntheticFile(
        'dotenv',
        'DATABASE_URL="postgres://app:real@db.example.com/app"\n',
        ({ host, user }) => `${user}-of-${host}`,
      ),
    ).toBe('DATABASE_URL="postgres://app:app-of-db.example.com@db.example.com/app"\n');
  });

  test('long hostile text takes no time', () => {
    atMost(10_000, () => {
      for (const text of [
        'https://'.repeat(20_000),
        'https://a:'.repeat(20_000),
        '@'.repeat(100_000),
        'A_KEY="\n'.repeat(20_000),
        `A_KEY='\n${'B=`\n'.repeat(20_001)}`,
        '# \n'.repeat(50_000),
      ])
        syntheticFile('dotenv', text, () => undefined);
    });
  });
});

describe('the secret of a credential in a file', () => {
  const netrc =
    'machine a.example login me password one\nmachine b.example:8443 password two\ndefault password three\n';

  test.each([
    [['a.example'], 'one'],
    [['*.example'], 'one'],
    [['c.example', 'a.example'], 'one'],
    [['z.test'], 'three'],
    [['any'], 'one'],
  ])('for %s is %s', (hosts, value) => {
    expect(extractSecret('netrc', netrc, { hosts: hosts.map(pattern) })?.value).toBe(value);
  });

  test('is of the host that it names, not of one whose name ends so', () => {
    expect(
      extractSecret('git', 'https://u:secret@evil-github.com', { hosts: [pattern('github.com')] }),
    ).toBeUndefined();
    expect(extractSecret('git', 'https://u:secret@example', { hosts: [pattern('*.example')] })).toBeUndefined();
  });

  test.each([
    ['npm.example:8443', 'one'],
    ['npm.example:8000-9000', 'one'],
    ['npm.example:443', undefined],
    ['npm.example', 'one'],
  ])('at %s is %s', (host, value) => {
    expect(extractSecret('npmrc', '//npm.example:8443/:_authToken=one', { hosts: [pattern(host)] })?.value).toBe(value);
  });

  test('of a profile comes with its access key', () => {
    const text =
      '[default]\naws_access_key_id=AKIA1\naws_secret_access_key=one\n[dev]\naws_access_key_id=AKIA2\naws_secret_access_key=two\naws_session_token=three\n';
    expect(extractSecret('aws', text, { hosts: [pattern('*.amazonaws.com')], user: 'dev' })).toEqual({
      value: 'two',
      user: 'dev',
      fields: { accessKeyId: 'AKIA2', sessionToken: 'three' },
    });
    expect(extractSecret('aws', text, { hosts: [pattern('*.amazonaws.com')] })?.fields).toEqual({
      accessKeyId: 'AKIA1',
    });
    expect(extractSecret('aws', text, { hosts: [pattern('*.amazonaws.com')], user: 'nobody' })).toBeUndefined();
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])('of the host itself stands at %s', (host) => {
    expect(extractSecret('git', `http://me:one@${host}:3000`, { hosts: [pattern('localhost')] })?.value).toBe('one');
  });

  test('is none in a file that is no such file, and none of a network of addresses', () => {
    expect(extractSecret('docker', '{', { hosts: [pattern('any')] })).toBeUndefined();
    expect(extractSecret('git', 'https://u:p@10.0.0.1', { hosts: [pattern('10.0.0.0/8')] })).toBeUndefined();
  });
});

describe('a file that the host does not have', () => {
  const entry = { host: 'h.example', phantom: 'PHANTOM', accessKeyId: 'AKIAPHANTOM' };

  test.each(['text', 'netrc', 'npmrc', 'pgpass', 'pip', 'git', 'docker', 'aws'] as const)(
    '%s: counts as one secret for the host',
    (format) => {
      const text = generatedFile(format, entry) ?? '';
      expect(extractSecret(format, text, { hosts: [pattern('h.example')] })).toMatchObject({ value: 'PHANTOM' });
      if (format !== 'text' && format !== 'aws')
        expect(extractSecret(format, text, { hosts: [pattern('other.example')] })).toBeUndefined();
    },
  );

  test('has its port and its user', () => {
    const made = (format: CredentialFormat) => generatedFile(format, { ...entry, port: 8443, user: 'me@home' });
    expect([made('npmrc'), made('pgpass'), made('git')]).toEqual([
      '//h.example:8443/:_authToken=PHANTOM\n',
      'h.example:8443:*:me@home:PHANTOM\n',
      'https://me@home:PHANTOM@h.example:8443\n',
    ]);
  });

  test.each(['kubeconfig', 'gcloud', 'json', 'dotenv'] as const)('%s: cannot be made up', (format) => {
    expect(generatedFile(format, entry)).toBeUndefined();
  });

  test('aws needs an access key', () => {
    expect(generatedFile('aws', { host: 'h', phantom: 'p' })).toBeUndefined();
  });
});

describe('a token without its claims', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('says only when it is good', () => {
    const masked = withoutClaims(
      `${part({ alg: 'none' })}.${part({ sub: 'me', email: 'me@example.com', exp: 9, iat: 8, nbf: '7' })}.sig`,
    );
    expect(masked).toBe(`${part({ alg: 'none' })}.${part({ exp: 9, iat: 8 })}.sig`);
  });

  test.each(['', 'a.b', 'a.b.c', 'a.b.c.d', `${part({})}.${part(null)}.x`, `${part('x')}.${part({})}`, 'ghp_EXAMPLE'])(
    '%j has none',
    (text) => {
      expect(withoutClaims(text)).toBeUndefined();
    },
  );
});
