import { describe, expect, test } from 'vitest';
import type { Opacity } from '../../shell/types.ts';
import { policyOf } from '../policy.ts';
import { analysisOf, factsWith, opacity, type Shape } from '../testing/analyses.ts';
import { policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { decideCommand } from './decide-command.ts';
import { commandsAreOpen } from './explain-command.ts';

const facts = factsWith();
const decisionOf = (texts: PolicyTexts, shapes: readonly Shape[], opaque: readonly Opacity[] = []) =>
  decideCommand(policyFrom(texts), analysisOf(shapes, opaque), facts);
const rule = (decision: string, commands: readonly string[], more = ''): string =>
  `[[exec]]\nname = "${decision}-${commands.join('').replaceAll(/\W/gu, '')}"\ndecision = "${decision}"\ncommands = ${JSON.stringify(commands)}\n${more}\n`;

describe('whether commands are looked at', () => {
  test.each<[string, PolicyTexts, boolean]>([
    ['nothing is said', {}, true],
    ['other things are said', { user: '[files]\nwrite = ["."]' }, true],
    ['what is unknown is allowed', { user: '[commands]\nunknown = "allow"' }, true],
    ['what is unknown is asked about', { user: '[commands]\nunknown = "ask"' }, false],
    ['what is unknown is refused', { project: '[commands]\nunknown = "deny"' }, false],
    ['a list denies', { user: '[commands]\ndeny = ["curl"]' }, false],
    ['a list allows', { managed: '[commands]\nallow = ["git"]' }, false],
    ['a list allows nothing', { project: '[commands]\nallow = []' }, false],
    ['an empty list refuses nothing', { user: '[commands]\ndeny = []' }, true],
    ['a rule allows', { user: rule('allow', ['git']) }, false],
    ['a rule of a project', { project: rule('audit', ['git']) }, false],
  ])('%s: open is %s', (_, texts, open) => {
    expect(commandsAreOpen(policyFrom(texts))).toBe(open);
  });

  test('a policy without a base refuses everything, so it is asked', () => {
    expect(commandsAreOpen(policyOf([]))).toBe(false);
  });
});

describe('the strictest part decides', () => {
  const user = [
    rule('audit', ['ls']),
    rule('ask', ['npm']),
    rule('deny', ['rm -r']),
    rule('redirect', ['wget'], 'redirect_to = ["curl", "{args}"]'),
  ].join('\n');

  test.each<[string, readonly Shape[], string]>([
    ['nothing', [], 'allow'],
    ['one that nothing is said about', [{ argv: ['echo', 'x'] }], 'allow'],
    ['audit', [{ argv: ['echo'] }, { argv: ['ls'] }], 'audit'],
    ['redirect over audit', [{ argv: ['ls'] }, { argv: ['wget', 'x'] }], 'redirect'],
    ['ask over redirect', [{ argv: ['npm'] }, { argv: ['wget', 'x'] }], 'ask'],
    ['deny over all', [{ argv: ['npm'] }, { argv: ['rm', '-r', 'x'] }, { argv: ['wget', 'x'] }], 'deny'],
    ['within a wrapper', [{ argv: ['sudo', 'rm', '-fr', 'x'] }, { argv: ['rm', '-fr', 'x'], parent: 0 }], 'deny'],
    ['assignments alone start nothing', [{ argv: [] }], 'allow'],
  ])('%s', (_, shapes, decision) => {
    expect(decisionOf({ user }, shapes).decision).toBe(decision);
  });

  test('every part is listed, in the order of the text', () => {
    const { parts } = decisionOf(
      { user },
      [{ argv: ['npm', 'test'], opaque: [opacity('unknown-option')] }, { argv: ['echo'] }],
      [opacity('syntax')],
    );
    expect(parts.map(({ kind, invocation, verdict }) => [kind, invocation, verdict.decision])).toEqual([
      ['opacity', undefined, 'ask'],
      ['invocation', 0, 'ask'],
      ['opacity', 0, 'ask'],
      ['invocation', 1, 'allow'],
    ]);
  });

  test('the innermost of equally strict ones speaks', () => {
    const { decisive, message } = decisionOf({ user: rule('deny', ['sudo', 'sh', 'rm -r']) }, [
      { argv: ['sudo', 'sh', '-c', 'rm -fr x'] },
      { argv: ['sh', '-c', 'rm -fr x'], parent: 0 },
      { argv: ['rm', '-fr', 'x'], parent: 1 },
    ]);
    expect(decisive?.invocation).toBe(2);
    expect(message).toBe(
      'running /usr/bin/rm -fr x is refused: deny-sudoshrmr of user.toml:2 says so; "rm -r" matches "rm -fr"',
    );
  });

  test('a text without commands needs nothing', () => {
    expect(decisionOf({ user }, [])).toEqual({
      decision: 'allow',
      parts: [],
      decisive: undefined,
      message: 'allowed: it contains no command',
      remedy: 'nothing is needed: it is allowed',
    });
  });
});

describe('unknown constructs', () => {
  const said = { user: rule('deny', ['curl']) };
  const soft: readonly Opacity['kind'][] = ['unknown-tool', 'unknown-option', 'inline-code', 'dynamic-word'];
  const hard: readonly Opacity['kind'][] = ['syntax', 'uncovered', 'budget', 'shell', 'dynamic-program', 'stdin-code'];

  test.each([...soft, ...hard])('%s is asked about', (kind) => {
    expect(decisionOf(said, [{ argv: ['x'], opaque: [opacity(kind)] }]).decision).toBe('ask');
    expect(decisionOf(said, [], [opacity(kind)]).decision).toBe('ask');
  });

  test.each(soft)('%s is allowed where the policy says so', (kind) => {
    expect(
      decisionOf({ user: `[commands]\nunknown = "allow"\ndeny = ["curl"]` }, [{ argv: ['x'], opaque: [opacity(kind)] }])
        .decision,
    ).toBe('allow');
  });

  test.each(hard)('%s never is', (kind) => {
    expect(
      decisionOf({ user: `[commands]\nunknown = "allow"\ndeny = ["curl"]` }, [{ argv: ['x'], opaque: [opacity(kind)] }])
        .decision,
    ).toBe('ask');
    expect(
      decisionOf({ user: `[commands]\nunknown = "allow"\nallow = ["x"]` }, [{ argv: ['x'], opaque: [opacity(kind)] }])
        .decision,
    ).toBe('ask');
  });

  test.each([...soft, ...hard])('%s is refused where a policy says so, whatever another one says', (kind) => {
    expect(
      decisionOf({ user: '[commands]\nunknown = "allow"', project: '[commands]\nunknown = "deny"' }, [
        { argv: ['x'], opaque: [opacity(kind)] },
      ]).decision,
    ).toBe('deny');
    expect(
      decisionOf({ user: '[commands]\nunknown = "deny"', project: '[commands]\nunknown = "allow"' }, [
        { argv: ['x'], opaque: [opacity(kind)] },
      ]).decision,
    ).toBe('deny');
  });

  test('a project alone cannot say that it is allowed', () => {
    expect(
      decisionOf({ project: '[commands]\nunknown = "allow"\ndeny = ["curl"]' }, [
        { argv: ['x'], opaque: [opacity('unknown-tool')] },
      ]).decision,
    ).toBe('ask');
  });

  test('code of the repository causes no question: rules apply to the programs it starts', () => {
    expect(
      decisionOf({ user: '[commands]\nunknown = "deny"' }, [{ argv: ['make'], opaque: [opacity('repository-code')] }])
        .decision,
    ).toBe('allow');
  });

  test('a program whose name is not known is asked about, said or not', () => {
    const { decision, parts, message } = decisionOf(said, [{ argv: ['$x', 'y'] }]);
    expect(decision).toBe('ask');
    expect(parts).toHaveLength(1);
    expect(message).toContain('the name of the program is not known');
    expect(decisionOf(said, [{ argv: ['*x'] }]).decision).toBe('ask');
    expect(decisionOf(said, [{ argv: ['$x'], opaque: [opacity('dynamic-program', 'once')] }]).parts).toHaveLength(1);
  });

  test('a program without any name is refused, whatever a policy says', () => {
    for (const user of [said.user, '[commands]\nunknown = "allow"\nallow = ["*"]', '[commands]\nallow = []']) {
      const { decision, parts, message } = decisionOf({ user }, [{ argv: ['', 'x'] }]);
      expect([decision, parts.length, message]).toEqual(['deny', 1, expect.stringContaining('programs need a name')]);
    }
  });

  test('the answer names the words, the setting and a way', () => {
    const { decisive, message, remedy } = decisionOf({ user: '[commands]\nunknown = "deny"' }, [
      { argv: ['mytool', '~/x', '--odd'], opaque: [opacity('unknown-tool', '`mytool` is not known')] },
    ]);
    expect(message).toBe(
      'running mytool ~/x --odd is refused: `mytool` is not known (commands.unknown of user.toml:3)',
    );
    expect(remedy).toBe(
      'allow all of its commands with exec = [{ name = "allow-mytool", decision = "allow", commands = ["mytool"] }], or set commands.unknown = "allow" in user.toml line 3',
    );
    expect(decisive?.verdict).toMatchObject({
      code: 'not-understood',
      rule: 'commands.unknown',
      layer: 'user',
      file: 'user.toml',
      line: 3,
    });
  });

  test('a redirect to something that is refused is a refusal, also where another layer asks about the command or redirects it elsewhere', () => {
    const user = `[commands]\ndeny = ["nc"]\n${rule('redirect', ['wget'], 'redirect_to = ["nc", "{args}"]')}`;
    for (const project of ['', '[commands]\nask = ["wget"]', rule('redirect', ['wget'], 'redirect_to = ["ls"]')])
      expect(decisionOf({ user, project }, [{ argv: ['wget', 'x'] }])).toMatchObject({
        decision: 'deny',
        message: expect.stringContaining('goes to nc x instead'),
      });
    expect(
      decisionOf({ user: rule('redirect', ['wget'], 'redirect_to = ["ls"]'), project: '[commands]\nask = ["wget"]' }, [
        { argv: ['wget', 'x'] },
      ]).decision,
    ).toBe('ask');
  });

  test('a redirect with an unknown word is a refusal, even if a refusal may concern that word', () => {
    const user = rule('redirect', ['rm'], 'redirect_to = ["ls", "{rest}"]');
    for (const more of ['', '[commands]\ndeny = ["rm -r"]\n', '[commands]\ndeny = ["rm x"]\n'])
      expect(decisionOf({ user: `${more}${user}` }, [{ argv: ['rm', '$x'] }])).toMatchObject({
        decision: 'deny',
        remedy: 'write out the arguments of the command',
      });
  });

  test('a redirect that leads on to another is refused, also where someone would ask about that', () => {
    const user = rule('redirect', ['wget', 'curl'], 'redirect_to = ["curl", "{args}"]');
    for (const managed of ['', '[commands]\nask = ["curl"]', rule('audit', ['curl'])])
      expect(decisionOf({ user, managed }, [{ argv: ['wget', 'x'] }])).toMatchObject({
        decision: 'deny',
        message: expect.stringContaining('goes to curl x instead'),
      });
  });

  test.each([...soft, ...hard, 'repository-code' as const])('%s has a remedy', (kind) => {
    const { decisive } = decisionOf(said, [{ argv: ['x'], opaque: [opacity(kind)] }], []);
    expect(decisive?.verdict.remedy).toMatch(/\w{3}/);
  });
});

describe('a rule that allows a program knows its words', () => {
  test.each<[string, string, Opacity['kind'], string]>([
    ['the program', rule('allow', ['mytool']), 'unknown-tool', 'allow'],
    ['the program', rule('allow', ['mytool']), 'unknown-option', 'allow'],
    ['the program', rule('allow', ['mytool']), 'dynamic-word', 'allow'],
    ['the program, audited', rule('audit', ['mytool']), 'unknown-tool', 'audit'],
    ['the program, but not code', rule('allow', ['mytool']), 'inline-code', 'ask'],
    ['some words', rule('allow', ['mytool build']), 'unknown-tool', 'allow'],
    ['some words, not others', rule('allow', ['mytool build']), 'unknown-option', 'ask'],
    ['some words, not others', rule('allow', ['mytool build']), 'dynamic-word', 'ask'],
    ['other words', rule('allow', ['mytool test']), 'unknown-tool', 'ask'],
    ['any program', rule('allow', ['*']), 'unknown-tool', 'ask'],
    ['a list', '[commands]\nallow = ["mytool"]', 'unknown-option', 'allow'],
  ])('%s: %s, %s: %s', (...[, user, kind, decision]) => {
    expect(decisionOf({ user }, [{ argv: ['mytool', 'build'], opaque: [opacity(kind)] }]).decision).toBe(decision);
  });

  test('only for the layer that says so', () => {
    const shapes = [{ argv: ['mytool'], opaque: [opacity('unknown-tool')] }];
    expect(
      decisionOf({ user: rule('allow', ['mytool']), project: '[commands]\nunknown = "deny"' }, shapes).decision,
    ).toBe('deny');
    expect(decisionOf({ project: rule('allow', ['mytool']) }, shapes).decision).toBe('ask');
    expect(
      decisionOf(
        { user: rule('allow', ['mytool']), project: `[commands]\nunknown = "deny"\n${rule('allow', ['mytool'])}` },
        shapes,
      ).decision,
    ).toBe('allow');
  });
});

describe('which program it is', () => {
  const policy = policyFrom({ user: '[commands]\nask = ["git push"]\ndeny = ["/opt/bad/tool"]' });
  const one = (argv: readonly string[], resolved: ReturnType<typeof facts.resolve>) =>
    decideCommand(policy, analysisOf([{ argv }]), factsWith({ [argv[0] ?? '']: resolved }));

  test('a planted program of a name that the policy has is refused', () => {
    const { decision, message, decisive } = one(['git', 'status'], {
      kind: 'planted',
      path: '/home/dev/app/node_modules/.bin/git',
    });
    expect(decision).toBe('deny');
    expect(decisive?.verdict.code).toBe('planted-program');
    expect(message).toContain('it would start /home/dev/app/node_modules/.bin/git');
  });

  test('a program under another name, or by its path, is the same', () => {
    expect(one(['eslint', '.'], { kind: 'planted', path: '/home/dev/app/node_modules/.bin/eslint' }).decision).toBe(
      'allow',
    );
    expect(one(['./git', 'status'], { kind: 'planted', path: '/home/dev/app/git' }).decision).toBe('allow');
    expect(one(['./git', 'push'], { kind: 'planted', path: '/home/dev/app/git' }).decision).toBe('ask');
  });

  test('rules about paths apply to the target of a name', () => {
    expect(one(['tool'], { kind: 'found', path: '/opt/bad/tool' }).decision).toBe('deny');
    expect(one(['tool'], { kind: 'found', path: '/usr/bin/tool' }).decision).toBe('allow');
    expect(one(['tool'], { kind: 'missing' }).decision).toBe('allow');
    expect(one(['git', 'push'], { kind: 'missing' }).decision).toBe('ask');
    expect(one(['git', 'push'], undefined).decision).toBe('ask');
  });
});

describe('unknown words', () => {
  const user = '[commands]\nunknown = "allow"\ndeny = ["git push --force", "rm -r"]';

  test.each<[readonly string[], string]>([
    [['git', 'push', '$x'], 'ask'],
    [['git', '$x'], 'ask'],
    [['git', '$x', 'status'], 'ask'],
    [['git', 'push', '--force', '$x'], 'deny'],
    [['git', '$x', 'push', '--force'], 'ask'],
    [['git', 'commit', '-m', '$x'], 'allow'],
    [['rm', '*'], 'ask'],
    [['rm', 'a*'], 'ask'],
    [['rm', '-r', '*'], 'deny'],
    [['ls', '$x'], 'allow'],
  ])('%j: %s', (argv, decision) => {
    expect(decisionOf({ user }, [{ argv }]).decision).toBe(decision);
  });

  test('the answer names the words, and their possible meanings', () => {
    const { message, remedy, decisive } = decisionOf({ user }, [{ argv: ['git', 'push', '$x'] }]);
    expect(message).toBe(
      'running /usr/bin/git push $x waits for approval: commands.deny[0] of user.toml:4 may be about it; "git push --force" would match if "$x" were the right words',
    );
    expect(remedy).toBe('approve it when asked, or change commands.deny[0] in user.toml line 4');
    expect(decisive?.verdict.code).toBe('unknown-word');
  });

  test('a grant never matches through them', () => {
    expect(
      decisionOf({ user: '[commands]\nunknown = "allow"\nallow = ["git status"]' }, [{ argv: ['git', '$x'] }]).decision,
    ).toBe('deny');
    expect(
      decisionOf({ user: '[commands]\nunknown = "allow"\nallow = ["git status"]' }, [{ argv: ['git', 'status', '$x'] }])
        .decision,
    ).toBe('allow');
    expect(
      decisionOf({ user: '[commands]\nunknown = "allow"\nallow = ["git *"]' }, [{ argv: ['git', '$x'] }]).decision,
    ).toBe('deny');
  });
});

describe('redirects', () => {
  const redirect = (to: string): string => rule('redirect', ['git push --force'], `redirect_to = ${to}`);
  const argvOf = (user: string, ...argv: readonly string[]) =>
    decisionOf({ user }, [{ argv }]).decisive?.verdict.redirectArgv;

  test.each<[string, readonly string[], readonly string[]]>([
    [
      '["git", "push", "--force-with-lease", "{rest}"]',
      ['git', 'push', '-f', 'origin', 'main'],
      ['git', 'push', '--force-with-lease', 'origin', 'main'],
    ],
    [
      '["git", "push", "--force-with-lease", "{rest}"]',
      ['git', 'push', '-fu', 'origin'],
      ['git', 'push', '--force-with-lease', '-u', 'origin'],
    ],
    [
      '["git", "push", "--force-with-lease", "{rest}"]',
      ['git', 'push', '--force', 'origin', '-f'],
      ['git', 'push', '--force-with-lease', 'origin'],
    ],
    ['["wrapper", "{operands}"]', ['git', 'push', '-f', '--', 'x y', '-z'], ['wrapper', 'push', 'x y', '-z']],
    ['["wrapper", "{args}"]', ['git', 'push', '-f', 'x y'], ['wrapper', 'push', '-f', 'x y']],
    ['["wrapper", "{2}", "a{1}"]', ['git', 'push', '-f', 'origin'], ['wrapper', 'origin', 'a{1}']],
    ['"/opt/safe-git"', ['git', 'push', '--force', 'x'], ['/opt/safe-git', 'push', '--force', 'x']],
  ])('%s: %j runs %j', (to, argv, instead) => {
    expect(argvOf(redirect(to), ...argv)).toEqual(instead);
  });

  test('the message has the words that run instead', () => {
    expect(
      decisionOf({ user: redirect('["git", "push", "--force-with-lease", "{rest}"]') }, [
        { argv: ['git', 'push', '-f', 'origin'] },
      ]).message,
    ).toContain('goes to git push --force-with-lease origin instead: ');
  });

  test('words that are not there, or not known, make it a refusal', () => {
    expect(decisionOf({ user: redirect('["x", "{3}"]') }, [{ argv: ['git', 'push', '-f'] }])).toMatchObject({
      decision: 'deny',
      remedy: 'write out the arguments of the command',
    });
    expect(
      decisionOf({ user: `[commands]\nunknown = "allow"\n${redirect('["x", "{rest}"]')}` }, [
        { argv: ['git', 'push', '-f', '$x'] },
      ]).decision,
    ).toBe('deny');
    expect(
      decisionOf({ user: `[commands]\nunknown = "allow"\n${redirect('["x", "y"]')}` }, [
        { argv: ['git', 'push', '-f', '$x'] },
      ]).decision,
    ).toBe('redirect');
  });

  test('where it leads is decided too', () => {
    expect(
      decisionOf({ user: '[commands]\ndeny = ["curl"]', project: redirect('["curl", "{rest}"]') }, [
        { argv: ['git', 'push', '-f'] },
      ]),
    ).toMatchObject({ decision: 'deny', message: expect.stringContaining('commands.deny[0] of user.toml:3') });
    expect(decisionOf({ user: redirect('["git", "push", "-f"]') }, [{ argv: ['git', 'push', '-f'] }]).decision).toBe(
      'deny',
    );
    expect(
      decisionOf({ user: `[commands]\nask = ["curl"]\n${redirect('["curl"]')}` }, [{ argv: ['git', 'push', '-f'] }])
        .decision,
    ).toBe('ask');
  });
});

describe('variables of a rule', () => {
  const envOf = (texts: PolicyTexts, ...argv: readonly string[]) =>
    decisionOf(texts, [{ argv }]).parts.flatMap((part) =>
      part.kind === 'invocation' ? [{ ...part.environment }] : [],
    )[0];

  test('are for the commands that it matches', () => {
    const user = rule('audit', ['npm test'], 'env = { CI = "1" }');
    expect(envOf({ user }, 'npm', 'test')).toEqual({ CI: '1' });
    expect(envOf({ user }, 'npm', 'ci')).toEqual({});
  });

  test('of all layers apply, and more authority wins', () => {
    const user = rule('allow', ['npm'], 'env = { A = "user", B = "user" }');
    const managed = rule('allow', ['npm'], 'env = { A = "managed" }');
    expect(envOf({ user, managed }, 'npm')).toEqual({ A: 'managed', B: 'user' });
  });

  test('never apply to refused commands', () => {
    expect(
      envOf({ user: rule('allow', ['npm'], 'env = { A = "x" }'), managed: '[commands]\nask = ["npm"]' }, 'npm'),
    ).toEqual({});
  });
});
