import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../audit/index.ts';
import { neutralEnvironment, neutralGit } from '../tools/git/index.ts';
import { shellQuoted } from './changes.ts';
import { failureOf, guarded, journalOf, refused } from './testing/guarded.ts';

const rule = (decision: string, commands: readonly string[], more = ''): string =>
  `[[exec]]\nname = "r-${decision}"\ndecision = "${decision}"\ncommands = ${JSON.stringify(commands)}\n${more}\n`;

describe('what is refused does not start', () => {
  test.each([
    [['curl', '-V']],
    [['/usr/bin/curl', '-V']],
    [['sh', '-c', 'ls; curl -V']],
    [['bash', '-c', 'true && { env A=1 curl -V; }']],
    [['sh', '-c', 'echo "$(curl -V)"']],
    [['nice', '-n', '5', 'curl', '-V']],
    [['sh', '-c', "sh -c 'curl -V'"]],
    [['xargs', 'curl']],
  ])('%j', async (argv) => {
    const guard = guarded('[commands]\ndeny = ["curl"]\n');
    expect(await failureOf(guard.enter(argv))).toEqual(refused('HF_COMMAND_REFUSED', /curl/u));
    expect(journalOf(guard)).toEqual(['refusal']);
  });

  test('and the error says by which rule', async () => {
    const guard = guarded('[commands]\ndeny = ["git push --force"]\n');
    const error = await failureOf(guard.enter(['sh', '-c', 'git status; git push -f origin main']));
    expect(error).toMatchObject({
      code: 'HF_COMMAND_REFUSED',
      details: { decision: 'deny', rule: 'commands.deny[0]', line: 3, words: ['git', 'push', '-f', 'origin', 'main'] },
    });
  });

  test('and the journal has the words', async () => {
    const guard = guarded('[commands]\ndeny = ["git push --force"]\n');
    await failureOf(guard.enter(['git', 'push', '--force']));
    expect(readEvents(guard.place.paths.journal)).toMatchObject([
      {
        type: 'refusal',
        observed: 'enforcement',
        session: 'test',
        request: { kind: 'exec', program: '/usr/bin/git', argv: ['git', 'push', '--force'], context: 'direct' },
        verdict: { rule: 'commands.deny[0]' },
      },
    ]);
  });
});

test.each([[['']], [['sh', '-c', '""']], [['sh', '-c', '~']], [['sh', '-c', '~/tool']]])(
  'what has no name, or is no program, is in no list: %j',
  async (argv) => {
    expect(await failureOf(guarded('[commands]\nallow = ["sh"]\nunknown = "allow"\n').enter(argv))).toEqual(
      refused('HF_COMMAND_REFUSED', /is refused/u),
    );
  },
);

test.each([[['git', 'version']], [['sh', '-c', 'ls -l | sort']], [['true']]])('%j enters as it is', async (argv) => {
  const guard = guarded('[commands]\ndeny = ["curl"]\nunknown = "allow"\n');
  expect(await guard.enter(argv)).toEqual({ argv, environment: {}, settled: [] });
  expect(journalOf(guard)).toEqual([]);
});

describe('what is asked', () => {
  const policy = '[commands]\nask = ["git push"]\n';
  const push = ['sh', '-c', 'git version; git push origin main'];

  test('is refused where nobody is there', async () => {
    const guard = guarded(policy);
    expect(await failureOf(guard.enter(push))).toEqual(refused('HF_COMMAND_REFUSED', /nobody was there to ask/u));
    expect(journalOf(guard)).toEqual(['approval.requested', 'approval.resolved', 'refusal']);
  });

  test('is refused when it is not approved', async () => {
    const guard = guarded(policy, 'deny');
    expect(await failureOf(guard.enter(push))).toEqual(refused('HF_COMMAND_REFUSED', /it was denied when asked/u));
    expect(journalOf(guard)).toEqual(['approval.requested', 'approval.resolved', 'refusal']);
  });

  test('enters when it is, and is remembered for the box', async () => {
    const guard = guarded(policy, 'allow');
    const admitted = await guard.enter(push);
    expect(admitted.argv).toEqual(push);
    expect(admitted.settled).toContainEqual({ program: '/usr/bin/git', argv: ['git', 'push', 'origin', 'main'] });
    expect(guard.asked).toMatchObject([
      { request: { kind: 'exec', argv: ['git', 'push', 'origin', 'main'] }, verdict: { decision: 'ask' } },
    ]);
    expect(journalOf(guard)).toEqual(['approval.requested', 'approval.resolved', 'approved']);
  });

  test('is asked once for each command of a line', async () => {
    const guard = guarded(policy, 'allow');
    await guard.enter(['sh', '-c', 'git push a; git push b; git push a']);
    expect(guard.asked.map(({ request }) => (request.kind === 'exec' ? request.argv.at(-1) : ''))).toEqual(['a', 'b']);
  });

  test('what nobody understands is asked about', async () => {
    const guard = guarded(policy, 'deny');
    expect(await failureOf(guard.enter(['sh', '-c', '$TOOL push']))).toEqual(refused('HF_COMMAND_REFUSED', /./u));
    expect(guard.asked.length).toBeGreaterThan(0);
  });

  test('words that are not known are not approved for what they turn out to be', async () => {
    const guard = guarded(policy, 'allow');
    const admitted = await guard.enter(['sh', '-c', 'git push "$REMOTE"']);
    expect(admitted.settled.every(({ argv }) => !argv.includes('push'))).toBe(true);
  });
});

describe('an audited command', () => {
  test('enters, and is told', async () => {
    const guard = guarded(rule('audit', ['git version']));
    expect(await guard.enter(['git', 'version'])).toMatchObject({ argv: ['git', 'version'] });
    expect(journalOf(guard)).toEqual(['audited']);
  });
});

describe('a redirected command', () => {
  const policy = rule('redirect', ['wget'], 'redirect_to = ["curl", "-LO", "{args}"]');

  test('is another one', async () => {
    const guard = guarded(policy);
    expect(await guard.enter(['wget', 'https://example.com/a b'])).toMatchObject({
      argv: ['curl', '-LO', 'https://example.com/a b'],
    });
    expect(journalOf(guard)).toEqual(['redirected']);
  });

  test('is another one within a text', async () => {
    expect(
      await guarded(policy).enter(['sh', '-c', 'cd /tmp && wget https://example.com/x > log', 'name']),
    ).toMatchObject({ argv: ['sh', '-c', 'cd /tmp && curl -LO https://example.com/x > log', 'name'] });
  });

  test.each([[['env', 'wget', 'x']], [['sh', '-c', 'env wget x']]])(
    'is refused where it cannot be replaced: %j',
    async (argv) => {
      expect(await failureOf(guarded(policy).enter(argv))).toEqual(
        refused('HF_COMMAND_REFUSED', /cannot be replaced/u),
      );
    },
  );
});

describe('variables of a rule', () => {
  const policy = rule('allow', ['git fetch'], 'env = { GIT_TERMINAL_PROMPT = "0" }');

  test('are the command’s own', async () => {
    expect(await guarded(policy).enter(['git', 'fetch'], { environment: { A: '1' } })).toMatchObject({
      argv: ['git', 'fetch'],
      environment: { A: '1', GIT_TERMINAL_PROMPT: '0' },
    });
  });

  test('stand in front of it in a text, and belong to nobody else', async () => {
    expect(await guarded(policy).enter(['sh', '-c', 'git version; git fetch'])).toMatchObject({
      argv: ['sh', '-c', 'git version; GIT_TERMINAL_PROMPT=0 git fetch'],
      environment: {},
    });
  });
});

describe('a program that the policy means by its name', () => {
  test('is not the one that is in the workspace', async () => {
    const guard = guarded(rule('audit', ['git']));
    const environment = { PATH: `${guard.workspace}/.bin:/usr/bin` };
    expect(await failureOf(guard.enter(['git', 'status'], { environment }))).toEqual(
      refused('HF_PROGRAM_UNTRUSTED', /git/u),
    );
    expect(await failureOf(guard.enter(['sh', '-c', 'git status'], { environment }))).toEqual(
      refused('HF_PROGRAM_UNTRUSTED', /git/u),
    );
  });

  test.each(['.bin', '.', ''])('is not looked for in %j', async (entry) => {
    const guard = guarded(rule('audit', ['git']));
    expect(await guard.enter(['git', 'version'], { environment: { PATH: `${entry}:/usr/bin` } })).toMatchObject({
      argv: ['git', 'version'],
    });
  });
});

describe('a program that the policy calls by its name', () => {
  const policy = '[commands]\nask = ["named --force"]\nunknown = "allow"\n';

  test.each([
    ['named', 'x'],
    ['sh', '-c', 'named x'],
    ['env', 'named', 'x'],
  ])('is not another one than when the session first used it: %s %s', async (...argv) => {
    const guard = guarded(policy);
    const put = (text: string): void =>
      writeFileSync(join(guard.tools, 'named'), `#!/bin/sh\necho ${text}\n`, { mode: 0o755 });
    const enter = () => guard.enter(argv, { environment: { PATH: `${guard.tools}:/usr/bin` } });
    put('one');
    await enter();
    await enter();
    put('another');
    for (let times = 1; times <= 2; times += 1)
      expect(await failureOf(enter())).toEqual(
        refused('HF_PROGRAM_UNTRUSTED', /named has changed since this session first used it/u),
      );
  });

  test('and no other program', async () => {
    const guard = guarded(policy);
    const enter = () => guard.enter(['other'], { environment: { PATH: guard.tools } });
    for (const text of ['one', 'another']) {
      writeFileSync(join(guard.tools, 'other'), text, { mode: 0o755 });
      expect(await enter()).toMatchObject({ argv: ['other'] });
    }
  });

  test('is known to anyone who looks at what the box starts', () => {
    const { dev, ino } = statSync('/usr/bin/env', { bigint: true });
    expect(guarded('[commands]\nask = ["env -i", "no-such-program"]\n').pinned).toEqual([
      { path: '/usr/bin/env', identity: `${dev}:${ino}` },
    ]);
  });
});

describe('a command of git that reads', () => {
  const policy = '[commands]\ndeny = ["curl"]\n';
  const neutral = (...words: readonly string[]): readonly string[] => neutralGit(['git', ...words])?.argv ?? [];
  const inText = (...words: readonly string[]): string =>
    `GIT_ALLOW_PROTOCOL='' GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0 ${neutral(...words)
      .map(shellQuoted)
      .join(' ')}`;

  test.each([[['status']], [['diff', 'HEAD']], [['-C', 'src', 'log', '-p']], [['branch']]])(
    'runs in its neutral form: git %j',
    async (words) => {
      const guard = guarded(policy);
      expect(await guard.enter(['git', ...words], { environment: { A: '1' } })).toEqual({
        argv: neutral(...words),
        environment: { A: '1', ...neutralEnvironment },
        settled: [],
      });
      expect(readEvents(guard.place.paths.journal)).toMatchObject([
        { type: 'enforcement', outcome: 'neutralised', request: { argv: ['git', ...words] }, argv: neutral(...words) },
      ]);
    },
  );

  test.each([
    ['git status', inText('status')],
    ['date && git -C x diff > out', `date && ${inText('-C', 'x', 'diff')} > out`],
    ['LC_ALL=C git log | head', `LC_ALL=C ${inText('log')} | head`],
    ['git diff; git status', `${inText('diff')}; ${inText('status')}`],
  ])('and within a text: %s', async (text, expected) => {
    const admitted = await guarded(policy).enter(['sh', '-c', text, 'name']);
    expect(admitted).toMatchObject({ argv: ['sh', '-c', expected, 'name'], environment: {} });
  });

  test('is judged by its own words when the shell starts it', async () => {
    expect((await guarded(policy).enter(['bash', '-c', 'git status; git add .'])).settled).toEqual([
      { program: '/usr/bin/git', argv: neutral('status'), insteadOf: ['git', 'status'] },
    ]);
  });

  test.each([
    [['env', 'git', 'status']],
    [['sh', '-c', 'env git status']],
    [['sh', '-c', 'git > out status']],
    [['sh', '-c', 'x=$(git status)']],
    [['sh', '-c', 'git status "$DIR"']],
    [['git', 'add', '.']],
    [['git', 'stash']],
  ])('stays as it is where it has no neutral form, or no place for one: %j', async (argv) => {
    const guard = guarded(`${policy}unknown = "allow"\n`);
    expect(await guard.enter(argv)).toEqual({ argv, environment: {}, settled: [] });
    expect(journalOf(guard)).toEqual([]);
  });

  test('stays as it is where the policy says so', async () => {
    expect(await guarded(`${policy}git = "as-is"\n`).enter(['git', 'status'])).toEqual({
      argv: ['git', 'status'],
      environment: {},
      settled: [],
    });
  });

  test('is asked about as it was written, and approved in both forms', async () => {
    const guard = guarded('[commands]\nask = ["git status"]\n', 'allow');
    const { argv, settled } = await guard.enter(['sh', '-c', 'git status']);
    expect(argv).toEqual(['sh', '-c', inText('status')]);
    expect(guard.asked).toMatchObject([{ request: { argv: ['git', 'status'] } }]);
    expect(settled).toContainEqual({ program: '/usr/bin/git', argv: ['git', 'status'] });
    expect(settled).toContainEqual({ program: '/usr/bin/git', argv: neutral('status'), insteadOf: ['git', 'status'] });
  });

  test('gets the variables of rules as well', async () => {
    const guard = guarded(rule('allow', ['git status'], 'env = { GIT_TERMINAL_PROMPT = "1", B = "2" }'));
    expect((await guard.enter(['git', 'status'])).environment).toEqual({
      ...neutralEnvironment,
      GIT_TERMINAL_PROMPT: '1',
      B: '2',
    });
  });

  test('is not what a rule has redirected', async () => {
    const guard = guarded(rule('redirect', ['git status'], 'redirect_to = ["git", "branch"]'));
    expect(await guard.enter(['git', 'status'])).toMatchObject({ argv: ['git', 'branch'] });
  });

  test('is not another program of that name', async () => {
    const guard = guarded(policy);
    expect(await guard.enter(['./.bin/git', 'status'])).toMatchObject({ argv: ['./.bin/git', 'status'] });
  });
});

describe('a text of PowerShell', () => {
  const policy = '[commands]\ndeny = ["curl"]\nunknown = "allow"\n';
  const enters = ['pwsh', '-NoProfile', '-c', 'curl https://example.com'];
  /** A fake PowerShell that reports one command with the words of the text. */
  const standIn =
    (below: string) =>
    (root: string): string => {
      const words = "text.split(' ').map((value) => ({ kind: 'static', text: value, value, start: 0, end: 1 }))";
      writeFileSync(
        join(root, below, 'pwsh'),
        `#!${process.execPath}\nconst { id, text } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));\nconsole.log(JSON.stringify({ id, errors: [], strange: [], commands: [{ words: ${words}, redirects: [], piped: false, top: true, start: 0, end: 1 }] }));`,
        { mode: 0o755 },
      );
      return join(root, below);
    };

  test('is asked about where there is no PowerShell', async () => {
    expect(await failureOf(guarded(policy).enter(enters))).toEqual(refused('HF_COMMAND_REFUSED', /PowerShell/u));
  });

  test('is read by the host’s (a stand-in of it)', async () => {
    const guard = guarded(policy, undefined, standIn('state'));
    expect(await failureOf(guard.enter(enters))).toMatchObject({
      details: { decision: 'deny', rule: 'commands.deny[0]', words: ['curl', 'https://example.com'] },
    });
    expect(await guard.enter(['pwsh', '-NoProfile', '-c', 'ls'])).toMatchObject({
      argv: ['pwsh', '-NoProfile', '-c', 'ls'],
    });
  });

  test('is not read by one that is in the workspace', async () => {
    expect(await failureOf(guarded(policy, undefined, standIn('workspace')).enter(enters))).toMatchObject({
      details: { decision: 'ask' },
    });
  });
});

test('what is asked about and holds characters that do not show is denied without a question, and the journal says so', async () => {
  const guard = guarded(rule('ask', ['git']), 'allow');
  const hidden = Array.from('--force', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  expect(await failureOf(guard.enter(['git', `push${hidden}`]))).toEqual(
    refused('HF_COMMAND_REFUSED', /nobody was asked.*says "--force"/u),
  );
  expect(guard.asked).toEqual([]);
  expect(readEvents(guard.place.paths.journal)).toMatchObject([
    { type: 'approval.resolved', because: 'hidden' },
    { type: 'refusal', verdict: { message: expect.stringMatching(/says "--force"/u) as string } },
  ]);
  expect(await guard.enter(['git', 'push'])).toMatchObject({ argv: ['git', 'push'] });
});

describe('a limit of classes holds where a command enters', () => {
  const limits = '[commands]\nask_above = "reads"\ndeny_above = "changes the machine"\n';

  test.each([[['ls']], [['sh', '-c', 'ls | wc -l']], [['git', 'status']]])('%j enters unasked', async (argv) => {
    const guard = guarded(limits);
    expect(await guard.enter(argv)).toMatchObject({ argv: expect.any(Array) });
    expect(guard.asked).toEqual([]);
  });

  test.each([[['touch', 'a']], [['sh', '-c', 'ls; touch a']], [['sh', '-c', 'ls > a']], [['env', 'FOO=1', 'ls']]])(
    '%j waits, or is refused where nobody is there',
    async (argv) => {
      expect(await failureOf(guarded(limits).enter(argv))).toEqual(refused('HF_COMMAND_REFUSED', /class "/u));
    },
  );

  test('a person is asked once, with the class', async () => {
    const guard = guarded(limits, 'allow');
    await guard.enter(['touch', 'a']);
    expect(guard.asked).toHaveLength(1);
    expect(JSON.stringify(guard.asked)).toContain('class \\"writes the workspace\\"');
  });

  test('what is refused is in the journal', async () => {
    const guard = guarded(limits, 'allow');
    expect(await failureOf(guard.enter(['sh', '-c', 'rm -rf $X']))).toEqual(
      refused('HF_COMMAND_REFUSED', /class "destroys": deletes \$X/u),
    );
    expect(readEvents(guard.place.paths.journal)).toMatchObject([
      { type: 'refusal', verdict: { code: 'command-class', rule: 'commands.deny_above', line: 4 } },
    ]);
  });
});
