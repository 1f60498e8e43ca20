import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPolicy } from '../../place/build-policy.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { importPolicy, type ImportSource } from './import-policy.ts';
import { agentshRefuses, claudeRefuses, codexRefuses, geminiRefuses } from './testing/evaluators.ts';

const places = { home: '/home/dev', workspace: '/home/dev/app' };
const imported = (source: ImportSource, text: string) => importPolicy(text, { source, places });

function policyFrom(source: ImportSource, text: string): Policy {
  const file = '/home/dev/.config/holdfast/policy.toml';
  const { policy } = imported(source, text);
  return buildPolicy({
    home: places.home,
    workspace: { root: places.workspace, gitDirectories: [], cwd: places.workspace },
    visible: [],
    userFile: file,
    sources: [{ kind: 'user', file, text: policy }],
    grants: {},
    ownDirectories: [],
  });
}

const exec = (argv: readonly string[]): PolicyRequest => ({
  kind: 'exec',
  program: argv[0] ?? '',
  argv,
  context: 'direct',
});
const answer = (policy: Policy, request: PolicyRequest): string => decide(policy, request).decision;
const read = (path: string): PolicyRequest => ({ kind: 'file', operation: 'read', path });
const write = (path: string): PolicyRequest => ({ kind: 'file', operation: 'write', path });

describe('Claude Code', () => {
  const text = JSON.stringify({
    permissions: {
      allow: ['Bash(make:*)', 'Bash(git diff:*)', 'Read(//srv/data/**)', 'WebFetch(domain:docs.example.com)'],
      ask: ['Bash(git push:*)', 'Edit(db/**)'],
      deny: [
        'Bash(curl:*)',
        'Bash(git push * main)',
        'Read(./.env)',
        'Read(./secrets/**)',
        'Read(./config/*.json)',
        'Edit(*.lock)',
        'mcp__mail__send',
        'WebFetch(domain:evil.example)',
      ],
      defaultMode: 'acceptEdits',
    },
    sandbox: {
      network: { allowedDomains: ['*.example.org'], allowUnixSockets: ['/run/app.sock'], allowLocalBinding: true },
      filesystem: { denyRead: ['~/private'], allowWrite: ['/srv/build'] },
    },
    hooks: {},
  });

  test('is carried over, as strict or stricter', () => {
    const policy = policyFrom('claude', text);
    const decided = (requests: Readonly<Record<string, PolicyRequest>>) =>
      Object.fromEntries(Object.entries(requests).map(([name, request]) => [name, answer(policy, request)]));
    expect(
      decided({
        make: exec(['make', 'all']),
        curl: exec(['curl', 'https://example.com']),
        push: exec(['git', 'push', 'origin', 'main']),
        secret: read('/home/dev/app/secrets/key'),
        nested: read('/home/dev/app/config/a.json'),
        private: read('/home/dev/private/x'),
        lock: write('/home/dev/app/yarn.lock'),
        source: write('/home/dev/app/src/main.ts'),
        data: read('/srv/data/x'),
        build: write('/srv/build/x'),
        schema: write('/home/dev/app/db/schema.sql'),
        host: { kind: 'connect', host: 'a.example.org', port: 443, protocol: 'tcp' },
        fetched: { kind: 'connect', host: 'docs.example.com', port: 443, protocol: 'tcp' },
        socket: { kind: 'socket', operation: 'connect', address: '/run/app.sock' },
      }),
    ).toEqual({
      make: 'allow',
      curl: 'deny',
      push: 'ask',
      secret: 'deny',
      nested: 'deny',
      private: 'deny',
      lock: 'deny',
      source: 'allow',
      data: 'allow',
      build: 'allow',
      schema: 'ask',
      host: 'allow',
      fetched: 'deny',
      socket: 'allow',
    });
  });

  test('says of everything else why it is not there', () => {
    const told = imported('claude', text).notCarried.map(({ at, effect }) => `${at} ${effect}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'permissions.allow[1] stricter',
        'permissions.allow[3] stricter',
        'permissions.deny[1] stricter',
        'permissions.deny[4] stricter',
        'permissions.deny[6] looser',
        'permissions.defaultMode none',
        'sandbox.network.allowLocalBinding none',
        'hooks none',
        'permissions none',
      ]),
    );
  });

  test('a permission does not get past a question about the same program', () => {
    expect(
      answer(
        policyFrom('claude', JSON.stringify({ permissions: { allow: ['Bash(git:*)'], ask: ['Bash(git push:*)'] } })),
        exec(['git', 'push', 'origin']),
      ),
    ).toBe('ask');
  });
});

test('Codex: alternatives, decisions and hosts', () => {
  const policy = policyFrom(
    'codex',
    'prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt", match=["git push"])\nprefix_rule(["rm", "-rf"], decision="forbidden")\nprefix_rule(["cargo"])\nnetwork_rule(host="api.example.com", protocol="https", decision="allow")\n',
  );
  expect(
    [
      ['git', 'fetch'],
      ['git', 'push', 'x'],
      ['rm', '-rf', 'x'],
      ['cargo', 'test'],
      ['git', 'status'],
    ].map((argv) => answer(policy, exec(argv))),
  ).toEqual(['ask', 'ask', 'deny', 'allow', 'allow']);
  expect(answer(policy, { kind: 'connect', host: 'api.example.com', port: 443, protocol: 'tcp' })).toBe('allow');
  expect(answer(policy, { kind: 'connect', host: 'api.example.com', port: 80, protocol: 'tcp' })).toBe('deny');
});

test('Gemini CLI: prefixes, expressions, modes', () => {
  const text =
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["rm -rf"]\ndecision = "deny"\nmodes = ["plan"]\n[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "git push( .*)?--force"\ndecision = "deny"\n[[rule]]\ntoolName = "write_file"\ndecision = "deny"\n[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls"\nmodes = ["yolo"]\ndecision = "allow"\n';
  const policy = policyFrom('gemini', text);
  expect(
    [exec(['rm', '-rf', 'x']), exec(['git', 'push', '--force']), write('/home/dev/app/x')].map((request) =>
      answer(policy, request),
    ),
  ).toEqual(['deny', 'ask', 'deny']);
  expect(imported('gemini', text).policy).not.toContain('"ls"');
});

test('agentsh: a request without a matching rule is refused there and here', () => {
  const text =
    'version: 1\nfile_rules:\n  - {name: env, paths: ["**/.key"], operations: ["*"], decision: deny}\n  - {name: del, paths: ["${PROJECT_ROOT}/**"], operations: [delete], decision: soft_delete}\n  - {name: ws, paths: ["${PROJECT_ROOT}/**"], operations: [read, write, create], decision: allow}\ncommand_rules:\n  - {name: safe, commands: [ls, Git], decision: allow}\n  - {name: npm, commands: [npm], args_patterns: ["^install"], decision: approve}\nnetwork_rules:\n  - {name: a, domains: ["a.example", "*.b.example"], ports: [443], decision: allow}\n  - {name: no, domains: ["*"], decision: deny}\n  - {name: late, domains: [late.example], decision: allow}\n';
  const policy = policyFrom('agentsh', text);
  const hosts = ['a.example', 'x.b.example', 'late.example', 'other.example'].map((host) =>
    answer(policy, { kind: 'connect', host, port: 443, protocol: 'tcp' }),
  );
  expect(hosts).toEqual(['allow', 'ask', 'deny', 'deny']);
  expect(
    [['ls'], ['git', 'status'], ['npm', 'install'], ['curl', 'x']].map((argv) => answer(policy, exec(argv))),
  ).toEqual(['allow', 'allow', 'ask', 'deny']);
  expect(
    [
      write('/home/dev/app/x'),
      { ...write('/home/dev/app/x'), operation: 'delete' } as PolicyRequest,
      read('/home/dev/app/.key'),
    ].map((request) => answer(policy, request)),
  ).toEqual(['allow', 'stage', 'deny']);
});

test('agentsh: without a rule for the workspace nothing of it is written, without one for commands none runs', () => {
  const policy = policyFrom('agentsh', 'version: 1\n');
  expect([write('/home/dev/app/x'), exec(['ls'])].map((request) => answer(policy, request))).toEqual(['deny', 'deny']);
});

describe('a refusal of the source is never allowed', () => {
  const word = fc.constantFrom(
    'git',
    'push',
    'npm',
    'run',
    'rm',
    '-rf',
    '--force',
    'main',
    'x.y',
    'a b',
    '*',
    'pu*',
    '$X',
    '--',
    'build',
  );
  const argv = fc
    .array(
      word.filter((each) => !/[*$]/u.test(each)),
      { minLength: 1, maxLength: 4 },
    )
    .filter(([first = '']) => /^[a-z]+$/u.test(first));
  const texts = fc.array(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 4 },
  );

  test('of Claude Code, commands', () => {
    fc.assert(
      fc.property(fc.tuple(texts, texts, fc.constantFrom('', ':*', ' *')), argv, ([denied, allowed, end], words) => {
        fc.pre(words.every((each) => !each.includes(' ')));
        const settings = {
          permissions: {
            deny: denied.map((each) => `Bash(${each}${end})`),
            allow: allowed.map((each) => `Bash(${each}:*)`),
          },
        };
        if (claudeRefuses(settings.permissions.deny, words))
          expect(answer(policyFrom('claude', JSON.stringify(settings)), exec(words))).not.toBe('allow');
      }),
    );
  });

  const part = fc.constantFrom(
    'src',
    'a.ts',
    'key.pem',
    '.env',
    '*',
    '**',
    '*.pem',
    'k?y.pem',
    '[ak]*',
    '{a,b}.ts',
    's**c',
  );
  const name = fc.constantFrom('src', 'a.ts', 'b.ts', 'key.pem', '.env', 'deep');

  test('of Claude Code, paths', () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', './', '/', '//home/dev/app/', '**/'),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (parts, start, names) => {
          const glob = `${start}${parts.join('/')}`;
          const inside = names.join('/');
          const { policy, notCarried } = imported(
            'claude',
            JSON.stringify({ permissions: { deny: [`Read(${glob})`] } }),
          );
          fc.pre(!notCarried.some(({ effect }) => effect === 'looser'));
          expect(policy).toContain('deny = [');
          if (claudeRefuses.path(glob, inside))
            expect(
              answer(
                policyFrom('claude', JSON.stringify({ permissions: { deny: [`Read(${glob})`] } })),
                read(`/home/dev/app/${inside}`),
              ),
            ).toBe('deny');
        },
      ),
    );
  });

  test('of Codex', () => {
    const rules = fc.array(
      fc.record({
        pattern: fc.array(fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 2 })), {
          minLength: 1,
          maxLength: 3,
        }),
        decision: fc.constantFrom('allow', 'prompt', 'forbidden'),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(rules, argv, (each, words) => {
        const text = each
          .map(({ pattern, decision }) => `prefix_rule(pattern=${JSON.stringify(pattern)}, decision="${decision}")`)
          .join('\n');
        if (codexRefuses(each, words)) expect(answer(policyFrom('codex', text), exec(words))).not.toBe('allow');
      }),
    );
  });

  test('of Gemini CLI', () => {
    const rules = fc.array(
      fc.record({
        prefix: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
        decision: fc.constantFrom('allow', 'ask_user', 'deny'),
        priority: fc.nat(900),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(rules, argv, (each, words) => {
        fc.pre(words.every((one) => !one.includes(' ')));
        const text = each
          .map(
            ({ prefix, decision, priority }) =>
              `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ${JSON.stringify(prefix)}\ndecision = "${decision}"\npriority = ${priority}\n`,
          )
          .join('');
        if (geminiRefuses(each, words)) expect(answer(policyFrom('gemini', text), exec(words))).not.toBe('allow');
      }),
    );
  });

  test('of agentsh', () => {
    const program = fc.constantFrom('git', 'npm', 'rm', '*', 'g*', 'n?m', '?it');
    const rules = fc.array(
      fc.record({
        commands: fc.array(program, { minLength: 1, maxLength: 2 }),
        args_patterns: fc.constantFrom(undefined, ['^push'], ['x']),
        decision: fc.constantFrom('allow', 'deny', 'approve', 'audit', 'redirect'),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(rules, argv, (each, words) => {
        const text = JSON.stringify({
          version: 1,
          command_rules: each.map((rule, index) => ({ name: `r${index}`, ...rule })),
        });
        if (agentshRefuses(each, words)) expect(answer(policyFrom('agentsh', text), exec(words))).not.toBe('allow');
      }),
    );
  });
});

describe('a hostile file', () => {
  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./gu, (key, index: number) => `${key}: &${key} [${`*${'abcdefgh'[index] ?? ''},`.repeat(9)}]\n`)}`;

  test.each<[string, ImportSource, string]>([
    ['huge', 'claude', `"${'x'.repeat((1 << 20) + 1)}"`],
    ['deep JSON', 'claude', `{"permissions":${deep(100_000)}}`],
    ['deep YAML', 'agentsh', deep(100_000)],
    ['deep Starlark', 'codex', `prefix_rule(pattern=${deep(100_000)})`],
    ['deep TOML', 'gemini', `a = ${deep(100_000)}`],
    ['a bomb of aliases', 'agentsh', bomb],
    [
      'a list without an end',
      'claude',
      JSON.stringify({ permissions: { deny: Array.from({ length: 2001 }, () => 'Read') } }),
    ],
    ['a key twice, in JSON', 'claude', '{"permissions":{"deny":["Bash(rm:*)"],"deny":[]}}'],
    [
      'a key twice, in other words',
      'claude',
      String.raw`{"permissions":{"deny":["Bash(rm:*)"]},"permission\u0073":{}}`,
    ],
    ['a comment in JSON', 'claude', '{"permissions":{}} // all'],
    ['a table that is merged', 'agentsh', 'x: &x {paths: [/srv]}\nfile_rules: [{<<: *x, decision: deny}]'],
    [
      'merges of merges',
      'agentsh',
      `a: &a {k: 1}\n${'bcdefghi'.replaceAll(/./gu, (key, index: number) => `${key}: &${key} {<<: [${`*${'abcdefgh'[index] ?? ''},`.repeat(9)}]}\n`)}`,
    ],
    ['an alias of nothing', 'agentsh', 'file_rules: *none'],
    ['two documents', 'agentsh', 'version: 1\n---\nfile_rules: []\n'],
    ['lists within lists, without brackets', 'agentsh', '- '.repeat(20_000)],
    ['half a document', 'agentsh', 'file_rules: [{paths: ["/x'],
    ['half a rule', 'gemini', '[[rule]]\ndecision = "deny'],
    ['a table twice', 'gemini', '[a]\nb = 1\n[a]\nb = 2\n'],
    ['a date for a decision', 'gemini', '[[rule]]\ndecision = 2026-01-01'],
    ['a table for a list', 'agentsh', 'file_rules: {paths: [/x], decision: deny}'],
    ['nothing', 'agentsh', ''],
    ['a key twice', 'agentsh', 'version: 1\nversion: 2\n'],
    ['a tag', 'agentsh', 'version: !!js/function "function () {}"\n'],
    ['broken JSON', 'claude', '{"permissions":'],
    ['another kind of value', 'claude', '{"permissions":{"deny":"Bash"}}'],
    ['a number for a rule', 'claude', '{"permissions":{"deny":[1]}}'],
    ['code', 'codex', 'x = ["rm"]\nprefix_rule(pattern=x, decision="forbidden")'],
    ['a loop', 'codex', '[prefix_rule(pattern=[a]) for a in ["rm"]]'],
    ['a decision that is none', 'codex', 'prefix_rule(["rm"], decision="constructor")'],
    ['a decision that is none, of Gemini', 'gemini', '[[rule]]\ntoolName="x"\ndecision = "toString"'],
    ['a prototype key', 'gemini', '__proto__ = 1'],
    ['many alternatives', 'codex', `prefix_rule(pattern=[${'["a","b","c"],'.repeat(8)}])`],
    ['half a text', 'codex', 'prefix_rule(["rm'],
  ])('%s is refused with one clear line', (_name, source, text) => {
    expect(() => imported(source, text)).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^HF_POLICY_/u),
        message: expect.stringMatching(/^[^\n]{10,200}$/u),
      }),
    );
  });

  test('keys of prototypes are keys like others', () => {
    const { policy, notCarried } = imported(
      'claude',
      '{"__proto__":{"permissions":{"allow":["Bash(x:*)"]}},"constructor":1,"permissions":{"__proto__":["Bash"],"deny":["Bash(rm:*)"]}}',
    );
    expect(policy).toContain('"rm"');
    expect(notCarried.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['__proto__', 'constructor', 'permissions.__proto__']),
    );
    for (const { why } of notCarried) expect(why).toMatch(/^[^\n]{10,}$/u);
  });

  test('an unknown key is reported in one visible line', () => {
    const keys = { 'a\nb': 1, 'c\u001B[2J': 1, 'd\u202Ee': 1, ['f'.repeat(500)]: 1 };
    const told = [
      ...imported('claude', JSON.stringify({ ...keys, permissions: keys })).notCarried,
      ...imported('agentsh', JSON.stringify(keys)).notCarried,
    ];
    expect(told).toHaveLength(13);
    for (const { at } of told) expect(at).toMatch(/^[ -~]{1,80}$/u);
  });

  test('invisible characters are removed and reported', () => {
    const { policy, notCarried } = imported(
      'claude',
      JSON.stringify({ permissions: { deny: ['Read(a\u202Eb)', 'Read(x\n]\nwrite = ["/")', 'Read(ok/x)'] } }),
    );
    expect(policy).not.toMatch(/\u202E|write/u);
    expect(notCarried.filter(({ effect }) => effect === 'looser').map(({ at }) => at)).toEqual([
      'permissions.deny[0]',
      'permissions.deny[1]',
    ]);
    expect(policy).toContain('ok/x');
  });

  test.each(['claude', 'codex', 'gemini', 'agentsh'] as const)(
    'any text of %s gives a policy or a typed error',
    (source) => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.json(),
            fc.anything({ withNullPrototype: false }).map(
              (value) =>
                JSON.stringify({
                  permissions: value,
                  sandbox: value,
                  rule: [value],
                  command_rules: [value],
                  file_rules: value,
                }) ?? '',
            ),
          ),
          (text) => {
            try {
              expect(imported(source, text).policy).toMatch(/^# imported from /u);
            } catch (error) {
              expect(error).toMatchObject({ code: expect.stringMatching(/^HF_POLICY_/u) });
            }
          },
        ),
      );
    },
  );
});
