import { describe, expect, test } from 'vitest';
import type { DeniedProgram } from '../../plan/types.ts';
import { policyIn } from '../testing/policy-in.ts';
import type { Program } from '../view/programs.ts';
import { execJudge } from './judge-exec.ts';

const workspace = '/home/dev/app';
const isPlanted = (path: string): boolean => path.startsWith(`${workspace}/`) || path.startsWith('/tmp/');
const rule = (decision: string, commands: readonly string[], more = ''): string =>
  `[[exec]]\nname = "r-${decision}"\ndecision = "${decision}"\ncommands = ${JSON.stringify(commands)}\n${more}\n`;

function program(named: string, more: Partial<Program> = {}): Program {
  return { named, real: named, identity: `1:${named}`, version: '1', interpreter: undefined, ...more };
}

interface Case {
  readonly policy: string;
  readonly program: Program;
  readonly argv?: readonly string[];
  readonly interpreters?: readonly Program[];
  readonly programs?: readonly DeniedProgram[];
}

function decisionOf({ policy, program: subject, argv, interpreters = [], programs = [] }: Case): string {
  return execJudge({ policy: policyIn(workspace, policy), programs, isPlanted }).judge({
    program: subject,
    argv: argv ?? [subject.named],
    interpreters,
  }).verdict.decision;
}

const denyCurl = '[commands]\ndeny = ["curl"]\n';
const allowPython = '[commands]\nallow = ["python3"]\n';

describe('a nested command is judged by the place of its program', () => {
  test.each([
    ['by its name', program('/usr/bin/curl'), 'deny'],
    ['by the target of its link', program('/usr/bin/fetch', { real: '/usr/bin/curl' }), 'deny'],
    ['by the name of its link', program('/usr/bin/curl', { real: '/usr/bin/fetcher' }), 'deny'],
    ['and not another program', program('/usr/bin/wget'), 'allow'],
  ])('%s', (_, subject, decision) => {
    expect(decisionOf({ policy: denyCurl, program: subject, argv: ['x'] })).toBe(decision);
  });

  test('argv[0] counts for a refusal, and not for a grant', () => {
    expect(decisionOf({ policy: denyCurl, program: program('/usr/bin/x'), argv: ['curl'] })).toBe('deny');
    expect(decisionOf({ policy: allowPython, program: program('/usr/bin/x'), argv: ['python3'] })).toBe('deny');
  });

  test('allows a link of the system by its name, and a link of the box by its target', () => {
    expect(
      decisionOf({ policy: allowPython, program: program('/usr/bin/python3', { real: '/usr/bin/python3.11' }) }),
    ).toBe('allow');
    expect(decisionOf({ policy: allowPython, program: program(`${workspace}/python3`, { real: '/usr/bin/sh' }) })).toBe(
      'deny',
    );
    expect(
      decisionOf({
        policy: '[commands]\nallow = ["sh"]\n',
        program: program(`${workspace}/x`, { real: '/usr/bin/sh' }),
      }),
    ).toBe('allow');
  });

  test('refuses a refused program under another name of its file', () => {
    const programs: readonly DeniedProgram[] = [
      {
        program: 'curl',
        path: '/usr/bin/curl',
        identity: { device: '8', inode: '9', type: 'file' },
        held: 'mask',
        sharedWith: [],
      },
    ];
    expect(decisionOf({ policy: denyCurl, program: program(`${workspace}/x`, { identity: '8:9' }), programs })).toBe(
      'deny',
    );
    expect(decisionOf({ policy: denyCurl, program: program(`${workspace}/x`, { identity: '8:10' }), programs })).toBe(
      'allow',
    );
  });

  test('a multi-call file shared with other programs is not the refused program', () => {
    const programs: readonly DeniedProgram[] = [
      {
        program: 'wget',
        path: '/usr/bin/busybox',
        identity: { device: '8', inode: '9', type: 'file' },
        held: 'notification',
        sharedWith: ['/usr/bin/vi'],
      },
    ];
    const policy = '[commands]\ndeny = ["wget"]\n';
    expect(
      decisionOf({ policy, program: program('/usr/bin/vi', { real: '/usr/bin/busybox', identity: '8:9' }), programs }),
    ).toBe('allow');
    expect(
      decisionOf({
        policy,
        program: program('/usr/bin/wget', { real: '/usr/bin/busybox', identity: '8:9' }),
        programs,
      }),
    ).toBe('deny');
    expect(
      decisionOf({
        policy,
        program: program('/usr/bin/busybox', { identity: '8:9' }),
        argv: ['busybox', 'wget'],
        programs,
      }),
    ).toBe('deny');
  });
});

describe('a program that runs another one without a call of its own', () => {
  test('judges the program that the loader is given', () => {
    expect(
      decisionOf({
        policy: denyCurl,
        program: program('/usr/lib/ld-linux-x86-64.so.2'),
        argv: ['ld.so', '/usr/bin/curl'],
      }),
    ).toBe('deny');
  });

  test('judges the interpreter of a script', () => {
    const script = program(`${workspace}/x`);
    expect(decisionOf({ policy: denyCurl, program: script, interpreters: [program('/usr/bin/curl')] })).toBe('deny');
    expect(
      decisionOf({
        policy: '[commands]\nask = ["python3"]\n',
        program: script,
        interpreters: [program('/usr/bin/python3', { real: '/usr/bin/python3.11' })],
      }),
    ).toBe('ask');
    expect(decisionOf({ policy: denyCurl, program: script, interpreters: [program('/usr/bin/sh')] })).toBe('allow');
  });

  test('judges an interpreter with the word of its line', () => {
    const policy = '[commands]\ndeny = ["sort -r"]\n';
    const line = (argument: string): Partial<Program> => ({ interpreter: { path: '/usr/bin/sort', argument } });
    expect(
      decisionOf({ policy, program: program(`${workspace}/x`, line('-r')), interpreters: [program('/usr/bin/sort')] }),
    ).toBe('deny');
    expect(
      decisionOf({ policy, program: program(`${workspace}/x`, line('-u')), interpreters: [program('/usr/bin/sort')] }),
    ).toBe('allow');
    expect(
      decisionOf({
        policy,
        program: program(`${workspace}/x`, line('-u')),
        argv: ['x', '-r'],
        interpreters: [program('/usr/bin/sort')],
      }),
    ).toBe('deny');
  });

  test('an allowed script needs no grant for its interpreter', () => {
    expect(
      decisionOf({
        policy: '[commands]\nallow = ["./build.sh"]\n',
        program: program(`${workspace}/build.sh`),
        interpreters: [program('/usr/bin/sh')],
      }),
    ).toBe('allow');
  });
});

describe('arguments', () => {
  const policy = `${rule('deny', ['git push --force'])}${rule('audit', ['git push'])}[commands]\nask = ["rm -r"]\n`;
  test.each([
    [['git', 'push', '--force'], 'deny'],
    [['git', 'push'], 'audit'],
    [['git', 'status'], 'allow'],
  ])('%j: %s', (argv, decision) => {
    expect(decisionOf({ policy, program: program('/usr/bin/git'), argv })).toBe(decision);
  });
});

test('a rule with the context "direct" ignores nested commands', () => {
  expect(decisionOf({ policy: rule('deny', ['curl'], 'context = "direct"'), program: program('/usr/bin/curl') })).toBe(
    'allow',
  );
  expect(decisionOf({ policy: rule('deny', ['curl'], 'context = "nested"'), program: program('/usr/bin/curl') })).toBe(
    'deny',
  );
});

describe('a program that the policy means by its name, and that the box could have written', () => {
  test.each(['audit', 'ask', 'deny'])('is refused under %s', (decision) => {
    expect(
      decisionOf({ policy: rule(decision, ['git']), program: program(`${workspace}/node_modules/.bin/git`) }),
    ).toBe('deny');
  });

  test('is refused through a link of the system too, and under its name in the box', () => {
    expect(
      decisionOf({ policy: rule('audit', ['git']), program: program('/opt/bin/git', { real: `${workspace}/x` }) }),
    ).toBe('deny');
    expect(
      decisionOf({ policy: rule('audit', ['git']), program: program(`${workspace}/x`, { real: '/tmp/git' }) }),
    ).toBe('deny');
  });

  test('is not planted as a link to the program of the system', () => {
    expect(
      decisionOf({ policy: rule('audit', ['git']), program: program(`${workspace}/git`, { real: '/usr/bin/git' }) }),
    ).toBe('audit');
    expect(
      decisionOf({ policy: rule('audit', ['git']), program: program(`${workspace}/git`, { real: '/usr/bin/sh' }) }),
    ).toBe('deny');
  });

  test('is allowed by its path', () => {
    expect(decisionOf({ policy: '[commands]\nallow = ["./tool"]\n', program: program(`${workspace}/tool`) })).toBe(
      'allow',
    );
  });

  test('names the planted program and a remedy', () => {
    const { verdict } = execJudge({
      policy: policyIn(workspace, rule('audit', ['git'])),
      programs: [],
      isPlanted,
    }).judge({ program: program(`${workspace}/git`), argv: ['git'], interpreters: [] });
    expect(verdict).toMatchObject({ decision: 'deny', code: 'planted-program' });
    expect(verdict.message).toContain(`${workspace}/git`);
  });
});

describe('whether arguments matter', () => {
  const concerns = (policy: string, subject: Program, shown = 'x') =>
    execJudge({ policy: policyIn(workspace, policy), programs: [], isPlanted }).concerns(subject, shown);

  test.each([
    [program('/usr/bin/git'), 'x', true],
    [program('/usr/bin/x', { real: '/usr/bin/git' }), 'x', true],
    [program('/usr/bin/x'), 'git', true],
    [program('/usr/bin/make'), 'make', false],
  ])('for %j with the argv[0] %s: %s', (subject, shown, expected) => {
    expect(concerns('[commands]\nask = ["git push"]\n', subject, shown)).toBe(expected);
  });

  test('a wildcard covers every program that it matches', () => {
    expect(concerns('[commands]\nask = ["npm* publish"]\n', program('/usr/bin/npmx'))).toBe(true);
    expect(concerns('[commands]\nask = ["npm* publish"]\n', program('/usr/bin/git'))).toBe(false);
    expect(concerns('[commands]\nask = ["./scripts/* x"]\n', program(`${workspace}/scripts/a`))).toBe(true);
  });
});
