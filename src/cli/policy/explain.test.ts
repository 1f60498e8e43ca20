import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policyFrom } from '../../policy/testing/policies.ts';
import { type Ended, scene } from '../testing/run.ts';
import { lookedIntoText, modelLines } from './explain.ts';
import { policyCommand } from './index.ts';

function explain(user: string | undefined, ...argv: readonly string[]): Promise<Ended> {
  const here = scene();
  if (user !== undefined) {
    mkdirSync(dirname(here.policy), { recursive: true });
    writeFileSync(here.policy, `version = 1\n${user}`);
  }
  return here.run(policyCommand, 'explain', ...argv);
}

/** Puts a directory of the workspace first in `PATH`. */
async function scenePlanted(): Promise<string> {
  const bin = join('node_modules', '.bin');
  const outer = scene();
  mkdirSync(join(outer.workspace, bin), { recursive: true });
  writeFileSync(join(outer.workspace, bin, 'git'), '', { mode: 0o755 });
  const here = scene({ PATH: `${join(outer.workspace, bin)}:/usr/bin:/bin` });
  mkdirSync(dirname(here.policy), { recursive: true });
  writeFileSync(here.policy, `version = 1\n${rules}`);
  return (await here.run(policyCommand, 'explain', '--workspace', outer.workspace, '--', 'git push')).stdout;
}

const rules = '[commands]\ndeny = ["rm -r -f"]\nask = ["git push --force"]\n';

describe('holdfast policy explain -- COMMAND', () => {
  test('shows the tree, each decision, and the obstacles', async () => {
    const { status, stdout } = await explain(rules, '--', "cd src && sudo sh -c 'rm --force -R build'");
    expect(status).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(
      /^deny: running \/usr\/bin\/rm --force -R build is refused: .* rules it out; "rm -r -f" matches "rm --force -R"$/u,
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^sudo sh -c /u),
        expect.stringMatching(/^ {2}sh -c /u),
        expect.stringMatching(/^ {4}rm --force -R build/u),
        expect.stringMatching(/^ {8}deletes .*\/src\/build and everything below$/u),
      ]),
    );
    expect(stdout).toMatch(/\nobstacles\n/u);
    expect(stdout).toMatch(/change commands\.deny\[0\] in .*policy\.toml line 3/u);
  });

  test('several words are a plain command, without a shell', async () => {
    const { stdout } = await explain(rules, '--', 'git', 'push', '-f', 'origin; ls');
    expect(stdout).toMatch(/^ask: running \/usr\/bin\/git push -f origin; ls waits for approval/u);
    expect(stdout).not.toMatch(/^ls/mu);
  });

  test('names refusals of the box, whatever the decision about the command', async () => {
    const { stdout } = await explain(rules, '--', 'cp a /etc/passwd');
    expect(stdout).toContain('the box: writing /etc/passwd is refused: nothing in the policy grants it');
  });

  test('says that nothing is looked at where nothing is said', async () => {
    const { stdout } = await explain(undefined, '--', 'rm x');
    expect(stdout.split('\n')).toEqual([
      'allowed: no policy has rules about commands, so Holdfast checks no command line',
      'class: writes the workspace (rm x: deletes x)',
      'rm x',
      expect.stringMatching(/^ {4}deletes .*\/x$/u),
      '',
    ]);
  });

  test.each([
    ['ls', 'reads'],
    ['ls; rm -r $X', 'destroys (rm -r $X: deletes $X)'],
    ['> a', 'writes the workspace (a redirect: writes a)'],
    ['ls |', 'anything (the text: '],
    [':(){ :|:& };:', 'destroys (:: calls itself, and may never end)'],
    ['loginctl enable-linger', 'leaves the session behind (loginctl enable-linger: leaves something that runs later'],
  ])('names the greatest power of %j', async (text, said) => {
    const { status, stdout } = await explain(undefined, '--', text);
    expect(status).toBe(0);
    expect(stdout.split('\n')[1]).toContain(`class: ${said}`);
    const { kind } = (
      JSON.parse((await explain(undefined, '--json', '--', text)).stdout) as { class: { kind: string } }
    ).class;
    expect(said.startsWith(kind)).toBe(true);
  });

  test('names the limit of classes that stands in the way', async () => {
    const { stdout } = await explain('[commands]\nask_above = "reads"\n', '--', 'ls; touch a');
    expect(stdout).toMatch(/^ask: running touch a waits for approval: class "writes the workspace": writes a/u);
    expect(stdout).toMatch(/\n {4}approve it when asked, or set commands\.ask_above = "writes the workspace" in /u);
  });

  test('--why-not prints only the obstacles', async () => {
    expect((await explain(rules, '--why-not', '--', 'rm x')).stdout).toBe('no known obstacles\n');
    const { stdout } = await explain(rules, '--why-not', '--', 'git push --forc');
    expect(stdout).toMatch(/^ {2}running \/usr\/bin\/git push --forc waits for approval: /u);
    expect(stdout).toMatch(/^ {4}change commands\.ask\[0\] in /mu);
  });

  test('--why-not without a command is a mistake', async () => {
    expect(await explain(rules, '--why-not', '--path', 'x')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('--why-not needs a command'),
    });
  });

  test('--json has all of it', async () => {
    const { stdout } = await explain(rules, '--json', '--', 'git push --force $X');
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'ask',
      commands: 'judged',
      parts: expect.any(Array),
      obstacles: expect.arrayContaining([expect.objectContaining({ invocation: 0 })]),
      analysis: { invocations: [{ argv: expect.any(Array) }] },
    });
  });

  test('a program that the box could have written is not the one of the policy', async () => {
    const here = scene({ PATH: `node_modules/.bin:/usr/bin:/bin` });
    const bin = join(here.workspace, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    mkdirSync(dirname(here.policy), { recursive: true });
    writeFileSync(here.policy, `version = 1\n${rules}`);
    writeFileSync(join(bin, 'git'), '', { mode: 0o755 });
    const relative = await here.run(policyCommand, 'explain', '--', 'git push');
    expect(relative.stdout).toMatch(/^allowed: /u);
    const { stdout } = await here.run(policyCommand, 'explain', '--', `${bin}/git push --force`);
    expect(stdout).toMatch(/^ask: /u);
    const planted = await scenePlanted();
    expect(planted).toMatch(
      /^deny: running git is refused: it would start .*\/node_modules\/\.bin\/git, which is where the box can write/u,
    );
    expect(planted).toMatch(/\n {4}write the absolute path of the program, or take .* out of PATH\n/u);
  });

  test('a rule about a path holds for the name that leads to it', async () => {
    const { stdout } = await explain('[commands]\ndeny = ["/usr/bin/git push"]\n', '--', 'git push');
    expect(stdout).toMatch(/^deny: running \/usr\/bin\/git push is refused/u);
  });

  test('never calls a command allowed if something refuses it', async () => {
    const { stdout } = await explain(rules, '--', 'no-such-tool x; ls');
    expect(stdout.split('\n').filter((line) => line.startsWith('    '))).toEqual([
      expect.stringMatching(/not understood: /u),
      expect.stringMatching(/^ {4}ask: /u),
      expect.stringMatching(/reads/u),
      expect.stringMatching(/^ {4}allowed: /u),
      expect.stringMatching(/approve it when asked, or allow all of its commands/u),
    ]);
  });

  test('its output cannot repaint a terminal', async () => {
    const { stdout } = await explain(rules, '--', 'git', 'push', '--force', '\u001b[2J\u202e\nallow: x');
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(stdout).not.toMatch(/^allow: x/mu);
  });
});

const lines = (user: string): Readonly<Record<string, string>> => Object.fromEntries(modelLines(policyFrom({ user })));
const open = '[network]\nhosts = ["api.anthropic.com:443", "localhost:8080", "api.example.com:443"]\n';
const builtin = 'built-in: tokenize keys, private-keys, tokens; audit payment to servers of models';

test('says nothing without a reachable model', () => {
  expect(lines('[network]\nhosts = ["example.com:443"]')).toEqual({});
});

test.each([
  ['', { models: 'looked into, answers filtered, conversations are not kept', dlp: builtin }],
  [
    '[llm]\noutput = "as-is"\nlog = "bodies"\nlog_keep = "1s"\nlog_most = "1 MB"',
    {
      models: 'looked into, answers as they are, conversations are kept for 1000 ms, at most 1000000 bytes',
      dlp: builtin,
    },
  ],
  [
    '[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]',
    { models: 'looked into, answers filtered, conversations are not kept' },
  ],
  ['[llm]\ngateway = "off"', {}],
  [
    '[llm]\ngateway = "off"\n[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]\nhosts = ["api.example.com"]',
    { models: 'not looked into' },
  ],
])('about %j it says %j', (text, said) => {
  expect(lines(`${open}${text}`)).toEqual(said);
});

test.each([
  ['api.anthropic.com:443', '', /the provider "anthropic", in the style "anthropic"/u],
  ['api.anthropic.com:443', '[llm]\ngateway = "off"', /^$/u],
  [
    'localhost:8080',
    '[[llm.servers]]\nname = "own"\nhosts = ["localhost:8080"]\nstyle = "ollama"',
    /the provider "own", in the style "ollama"/u,
  ],
  ['localhost:8080', '', /^$/u],
  [
    'api.example.com:443',
    '[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]\nhosts = ["api.example.com"]',
    /by \[\[dlp\]\] rules/u,
  ],
] as const)('requests to %s with %j', (authority, text, said) => {
  const [host = '', port] = authority.split(':');
  expect(lookedIntoText(policyFrom({ user: `${open}${text}` }), { host, port: Number(port) })).toMatch(said);
});

test('uninspected traffic is skipped', () => {
  expect(
    lookedIntoText(
      policyFrom({ user: '[network]\nhosts = ["api.openai.com:443"]\npassthrough = ["api.openai.com"]' }),
      { host: 'api.openai.com', port: 443 },
    ),
  ).toBe('');
});
