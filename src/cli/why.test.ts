import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendEvents } from '../audit/index.ts';
import { refusalEvent, startEvent } from '../audit/testing/events.ts';
import { scene, type Scene } from './testing/run.ts';
import { whyCommand } from './why.ts';

interface Answer {
  readonly request: Readonly<Record<string, unknown>>;
  readonly explanation: {
    readonly verdict: {
      readonly decision: string;
      readonly file: string;
      readonly line: number;
      readonly remedy: string;
    };
  };
}

async function ask({ run }: Scene, ...argv: readonly string[]): Promise<readonly Answer[]> {
  const { status, stdout, stderr } = await run(whyCommand, '--json', ...argv);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as readonly Answer[];
}

function withPolicy(text: string): Scene {
  const made = scene();
  mkdirSync(dirname(made.policy), { recursive: true });
  writeFileSync(made.policy, text);
  return made;
}

describe('a question', () => {
  test('about a path is answered for reading and writing, relative to where it is asked', async () => {
    const here = scene();
    const answers = await ask(here, '--path', 'x/../y', '--path', '/etc/shadow');
    expect(
      answers.map(({ request, explanation }) => [request['operation'], request['path'], explanation.verdict.decision]),
    ).toEqual([
      ['read', join(here.workspace, 'y'), 'allow'],
      ['write', join(here.workspace, 'y'), 'allow'],
      ['read', '/etc/shadow', expect.stringMatching(/allow|deny/u)],
      ['write', '/etc/shadow', 'deny'],
    ]);
  });

  test('about one kind of access', async () => {
    const answers = await ask(scene(), '--path', '/etc/x', '--access', 'write');
    expect(answers.map(({ request }) => request['operation'])).toEqual(['write']);
  });

  test('names rule, file and line of the policy, and the grant', async () => {
    const here = withPolicy('version = 1\n[files]\nread = ["/srv/shown"]\ndeny = [\n  "/srv/shown/not",\n]\n');
    const [answer] = await ask(here, '--path', '/srv/shown/not/x', '--access', 'read');
    expect(answer?.explanation.verdict).toMatchObject({ decision: 'deny', file: here.policy });
    expect(answer?.explanation.verdict.line).toBeGreaterThanOrEqual(4);
    const { stdout } = await here.run(whyCommand, '--path', '/srv/shown/not/x', '--access', 'read');
    expect(stdout).toContain('deny read /srv/shown/not/x\n');
    expect(stdout).toContain(`${here.policy}:${answer?.explanation.verdict.line ?? ''}`);
    expect(stdout).toContain(answer?.explanation.verdict.remedy);
  });

  // `any` opens public addresses only, and no answer may promise more than the network gives.
  test.each([
    ['10.0.0.1', 'deny'],
    ['169.254.169.254', 'deny'],
    ['[::1]:80', 'deny'],
    ['1.1.1.1', 'allow'],
    ['example.com', 'allow'],
    ['10.0.0.2:5432', 'allow'],
  ])('about the address %s where any host is open: %s', async (value, decision) => {
    const here = withPolicy('version = 1\n[network]\nhosts = ["any", "10.0.0.2:5432"]\n');
    const [answer] = await ask(here, '--host', value);
    expect(answer?.explanation.verdict.decision).toBe(decision);
    if (decision === 'deny') expect(answer?.explanation.verdict.remedy).toContain('if you mean this address, allow it');
  });

  test.each([
    ['example.com', 'example.com', 443],
    ['example.com:8443', 'example.com', 8443],
    ['1.1.1.1:53', '1.1.1.1', 53],
    ['::1', '::1', 443],
    ['2001:db8::1:80', '2001:db8::1:80', 443],
    ['[::1]', '::1', 443],
    ['[2001:db8::1]:80', '2001:db8::1', 80],
  ])('about the host %s', async (value, host, port) => {
    const [answer] = await ask(scene(), '--host', value);
    expect(answer).toMatchObject({
      request: { kind: 'connect', host, port },
      explanation: { verdict: { decision: 'deny' } },
    });
  });

  test('about a command, as one text or as words', async () => {
    expect((await ask(scene(), '--command', '  git   push '))[0]?.request).toMatchObject({
      kind: 'exec',
      program: 'git',
      argv: ['git', 'push'],
    });
    expect((await ask(scene(), '--', 'git', 'commit', '-m', 'a b'))[0]?.request).toMatchObject({
      program: 'git',
      argv: ['git', 'commit', '-m', 'a b'],
    });
  });

  test.each([
    [['--command', 'git push -f'], 'ask', 'commands.ask[0]'],
    [['--', 'sudo', 'git', 'push', '-f'], 'ask', 'commands.ask[0]'],
    [['--', 'sh', '-c', 'cd x && git push --force'], 'ask', 'commands.ask[0]'],
    [['--', 'git', 'push', '--odd'], 'ask', 'commands.unknown'],
    [['--command', "sh -c 'cd x && git push --force'"], 'ask', 'commands.ask[0]'],
    [['--command', 'ls && git push -f'], 'ask', 'commands.ask[0]'],
    [['--command', "echo 'git push -f'"], 'allow', 'commands.default'],
    [['--', 'git push -f | cat'], 'ask', 'commands.ask[0]'],
    [['--', 'git', 'push'], 'allow', 'commands.default'],
  ])('about all that a command would start: %j', async (argv, decision, rule) => {
    const [answer] = await ask(withPolicy('version = 1\n[commands]\nask = ["git push --force"]\n'), ...argv);
    expect(answer?.explanation.verdict).toMatchObject({ decision, rule });
  });

  test('about a variable and a socket, which grant nothing by being asked about', async () => {
    const answers = await ask(
      scene(),
      '--env',
      'AWS_SECRET_ACCESS_KEY',
      '--socket',
      '/run/docker.sock',
      '--host',
      'example.com',
    );
    expect(answers.map(({ request, explanation }) => [request['kind'], explanation.verdict.decision])).toEqual([
      ['connect', 'deny'],
      ['env', 'deny'],
      ['socket', 'deny'],
    ]);
  });

  test.each([
    ['--access', 'delete', '--path', '/x'],
    ['--host', ''],
    ['--host', 'a:0'],
    ['--host', 'a:65536'],
    ['--command', '   '],
    ['--last', '0'],
    ['--last', 'x'],
    ['--last', '1.5'],
  ])('%j %j is a usage error', async (...argv) => {
    expect(await scene().run(whyCommand, ...argv)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });

  test('with a policy that is broken names every problem', async () => {
    const here = withPolicy('version = 1\n[files]\nred = ["/x"]\nread = 3\n');
    const { status, stderr } = await here.run(whyCommand, '--path', '/x');
    expect(status).toBe(125);
    expect(stderr).toContain(`${here.policy}:3:`);
    expect(stderr).toContain(`${here.policy}:4:`);
  });
});

describe('without a question', () => {
  function journalled(): Scene {
    const here = scene();
    const other = { ...refusalEvent('z'), workspace: '/somewhere/else' };
    const paths = ['/etc/one', '/etc/two', '/etc/three\u001B[2J'];
    const own = paths.map((path) => ({
      ...refusalEvent('a'),
      workspace: here.workspace,
      request: { kind: 'file', operation: 'read', path } as const,
    }));
    appendEvents(here.journal, [startEvent('a'), ...own, other]);
    return here;
  }

  test('lists the refusals of this workspace only, newest first, with rule and remedy', async () => {
    const { status, stdout } = await journalled().run(whyCommand);
    expect(status).toBe(0);
    expect(
      stdout
        .split('\n')
        .filter((line) => /^\d{4}-/u.test(line))
        .map((line) => line.split(' ').slice(1).join(' ')),
    ).toEqual(['read /etc/three\\u{1b}[2J', 'read /etc/two', 'read /etc/one']);
    expect(stdout).toContain('  not granted (files.read.default, built-in)\n  grant it\n');
  });

  test('lists calls of language models that were refused', async () => {
    const here = scene();
    const call = {
      type: 'model',
      session: 'a',
      workspace: here.workspace,
      provider: 'anthropic',
      dialect: 'anthropic-messages',
      operation: 'generate',
      host: 'api.anthropic.com',
      port: 443,
      status: 200,
      usd: null,
      prices: 'x',
      completeness: 'complete',
      duration: 1,
      toolCalls: [],
    } as const;
    appendEvents(here.journal, [
      startEvent('a'),
      call,
      { ...call, status: 403, refusal: { code: 'budget-spent', message: 'it is spent\u001B[2J' } },
    ]);
    expect((await here.run(whyCommand)).stdout).toMatch(
      /^\S+ connect to api\.anthropic\.com:443\n {2}it is spent\\u\{1b\}\[2J \(budget-spent, built-in\)\n {2}see `holdfast llm log --refused`\n$/u,
    );
  });

  test('lists as many as wanted', async () => {
    const { stdout } = await journalled().run(whyCommand, '--last', '1');
    expect(stdout.match(/read \/etc/gu)).toHaveLength(1);
  });

  test('as JSON', async () => {
    const here = journalled();
    const value = JSON.parse((await here.run(whyCommand, '--json')).stdout) as {
      where: string;
      workspace: string;
      refusals: readonly unknown[];
    };
    expect(value).toMatchObject({ where: 'outside', workspace: here.workspace });
    expect(value.refusals).toHaveLength(3);
  });

  test('says so when there are none', async () => {
    const here = scene();
    expect(await here.run(whyCommand)).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^No refusals yet in .*\. Run a command: holdfast run -- COMMAND\nHoldfast does not read the output of a command on a terminal. Ask with --path, or run the command with 2>&1 \| cat\n$/u,
      ),
      stderr: '',
    });
  });
});

test('paths are those of the working directory and of the home, also where no shell has expanded them', async () => {
  const here = scene();
  const asked = async (...argv: readonly string[]) =>
    (JSON.parse((await here.run(whyCommand, '--json', ...argv)).stdout) as readonly { readonly request: object }[])[0]
      ?.request;
  expect(await asked('--path=~/.ssh', '--access=read')).toEqual({
    kind: 'file',
    operation: 'read',
    path: `${homedir()}/.ssh`,
  });
  expect(await asked('--path=../x', '--access=read')).toEqual({
    kind: 'file',
    operation: 'read',
    path: `${dirname(here.workspace)}/x`,
  });
  expect(await asked('--socket=run/x')).toEqual({
    kind: 'socket',
    operation: 'connect',
    address: `${here.workspace}/run/x`,
  });
  expect(await asked('--socket=@x')).toEqual({ kind: 'socket', operation: 'connect', address: '@x' });
});

test('a command is answered with its greatest power', async () => {
  const here = withPolicy('version = 1\n[commands]\nask_above = "reads"\n');
  const { stdout } = await here.run(whyCommand, '--command', 'ls; rm -r $X');
  expect(stdout).toMatch(/^ask /u);
  expect(stdout).toContain('  class: destroys (rm -r $X: deletes $X)\n');
  expect(await ask(here, '--command', 'cat a')).toMatchObject([{ class: { kind: 'reads' } }]);
  expect(await ask(here, '--path', 'a', '--access', 'read')).not.toMatchObject([{ class: {} }]);
});
