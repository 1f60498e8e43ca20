import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sha } from '../../trust/testing/values.ts';
import { eventsIn } from '../testing/events-in.ts';
import { type Ended, scene, type Scene } from '../testing/run.ts';
import { trustCommand } from './index.ts';

const mcp = (command: string): string => `${JSON.stringify({ mcpServers: { docs: { command } } })}\n`;

interface Status {
  readonly files: readonly {
    readonly path: string;
    readonly state: string;
    readonly approved: boolean;
    readonly sha256: string;
    readonly signer?: string;
  }[];
}

describe('holdfast trust', () => {
  let at: Scene;
  beforeEach(() => {
    at = repository();
  });

  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(at.workspace, path)), { recursive: true });
    writeFileSync(join(at.workspace, path), text);
  };
  const trust = (...words: readonly string[]): Promise<Ended> => at.run(trustCommand, ...words);
  const hashes = (...paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => ['--sha256', `${path}=${sha(readFileSync(join(at.workspace, path)))}`]);
  const add = (...paths: readonly string[]): Promise<Ended> => trust('add', ...paths, '--yes', ...hashes(...paths));
  const states = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (JSON.parse((await trust('status', '--json')).stdout) as Status).files.map(({ path, state }) => [path, state]),
    );

  function repository(environment: Readonly<Record<string, string>> = {}): Scene {
    const made = scene(environment);
    writeFileSync(join(made.workspace, '.mcp.json'), mcp('docs-server'));
    writeFileSync(join(made.workspace, 'AGENTS.md'), '# Be nice\n');
    return made;
  }

  describe('status', () => {
    test('lists unapproved files, and exits with 1', async () => {
      const { status, stdout } = await trust('status');
      expect([status, stdout]).toEqual([
        1,
        expect.stringMatching(
          /: 0 approved, 2 not approved\n {2}new {6}\.mcp\.json {2}mcp, read by .+\n {2}new {6}AGENTS\.md {2}instructions, read by .+\nsee `holdfast trust diff`/u,
        ),
      ]);
    });

    test('exits with 0 when everything is as it was approved', async () => {
      await add('.mcp.json', 'AGENTS.md');
      expect(await trust('status')).toEqual({
        status: 0,
        stdout: `${at.workspace}: 2 approved, 0 not approved\n`,
        stderr: '',
      });
    });

    test('separates changes from rewordings, and names missing files', async () => {
      put('GEMINI.md', '# x\n');
      await add('.mcp.json', 'AGENTS.md', 'GEMINI.md');
      put('.mcp.json', mcp('evil-server'));
      put('AGENTS.md', '# Be quick\n');
      rmSync(join(at.workspace, 'GEMINI.md'));
      expect(await states()).toEqual({ '.mcp.json': 'changed', 'AGENTS.md': 'prose', 'GEMINI.md': 'gone' });
    });

    test('of a value with many lines, the last one appears too', async () => {
      put('.mcp.json', mcp(`${'true\n'.repeat(100)}evil`));
      expect((await trust('diff', '.mcp.json')).stdout).toMatch(/\| evil$/mu);
    });

    test('does not ask about unreadable files, which stay unapproved', async () => {
      rmSync(join(at.workspace, '.mcp.json'));
      execFileSync('mkfifo', [join(at.workspace, '.mcp.json')]);
      expect(await trust('add', '.mcp.json')).toMatchObject({
        status: 1,
        stdout: 'there is nothing to approve\n',
        stderr: expect.stringContaining('.mcp.json stays unapproved: ') as unknown,
      });
    });

    test('exits with 0 in a repository without such files', async () => {
      for (const name of ['.mcp.json', 'AGENTS.md']) rmSync(join(at.workspace, name));
      expect((await trust('status')).status).toBe(0);
    });

    test('puts what needs no approval into one line', async () => {
      put('package.json', '{"scripts":{"test":"x"}}');
      put('Makefile', 'all:\n');
      expect((await trust('status')).stdout).toContain(': 0 approved, 2 not approved\n' /* .mcp.json, AGENTS.md */);
      for (const name of ['.mcp.json', 'AGENTS.md']) rmSync(join(at.workspace, name));
      expect(await trust('status')).toMatchObject({
        status: 0,
        stdout: `${at.workspace}: 0 approved, 0 not approved\nno approval needed, as these run only when someone starts them: Makefile, package.json\n`,
      });
    });

    test('gives what git runs by itself a line of its own', async () => {
      put('.husky/pre-commit', './evil\n');
      put('.git/config', '[core]\n\tfsmonitor = ./evil\n');
      const { stdout } = await trust('status');
      expect(stdout).toContain('new      .husky/pre-commit');
      expect(stdout).toContain('new      .git/config');
    });

    test('tells of a change in what boxes have anyway', async () => {
      put('Makefile', 'all:\n');
      await add('.mcp.json', 'AGENTS.md', 'Makefile');
      put('Makefile', 'all:\n\t./evil\n');
      const { status, stdout } = await trust('status');
      expect([status, stdout]).toEqual([1, expect.stringContaining('changed  Makefile')]);
    });

    test('writes nothing that would count as an approval', async () => {
      await trust('status');
      expect(existsSync(join(dirname(at.journal), 'trust'))).toBe(false);
    });

    test('a name that would move a cursor is written out', async () => {
      put('\u001B[2J\u202E/AGENTS.md', '# x\n');
      const { stdout } = await trust('status');
      expect(stdout.includes('\u001B') || stdout.includes('\u202E')).toBe(false);
      expect(stdout).toContain('/AGENTS.md');
    });
  });

  describe('diff', () => {
    test('shows executable fields as they were and are', async () => {
      await add('.mcp.json');
      put('.mcp.json', mcp('evil-server'));
      const { stdout } = await trust('diff', '.mcp.json');
      expect(stdout).toMatch(
        /^changed \.mcp\.json .*\n {2}- runs {6}mcpServers\.docs\.command = docs-server\n {2}\+ runs {6}mcpServers\.docs\.command = evil-server\n$/u,
      );
    });

    test('shows prose line by line', async () => {
      await add('AGENTS.md');
      put('AGENTS.md', '# Be quick\n');
      expect((await trust('diff', 'AGENTS.md')).stdout).toContain('\n-# Be nice\n+# Be quick\n');
    });

    test('shows named scripts, and their earlier text', async () => {
      put('tools/run.sh', 'echo 1\n');
      put('.mcp.json', mcp('./tools/run.sh'));
      await trust('add', '.mcp.json', '--yes', ...hashes('.mcp.json', 'tools/run.sh'));
      put('tools/run.sh', 'curl evil.example\n');
      expect(await states()).toMatchObject({ '.mcp.json': 'changed' });
      expect((await trust('diff', '.mcp.json')).stdout).toContain('-echo 1\n+curl evil.example\n');
    });

    test('is available as data, and omits approved files', async () => {
      await add('AGENTS.md');
      const { stdout } = await trust('diff', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        workspace: at.workspace,
        files: [
          {
            path: '.mcp.json',
            state: 'new',
            fields: [{ path: 'mcpServers.docs.command', effect: 'runs', after: 'docs-server' }],
          },
        ],
      });
    });
  });

  describe('add', () => {
    test('keeps the viewed content, with a journal entry', async () => {
      expect(await add('.mcp.json')).toEqual({
        status: 0,
        stdout: 'approved 1 file: boxes that start from now on have it\n',
        stderr: '',
      });
      expect(await states()).toEqual({ '.mcp.json': 'approved', 'AGENTS.md': 'new' });
      expect(await eventsIn(at.run)).toMatchObject([
        {
          type: 'trust.decided',
          workspace: at.workspace,
          action: 'approve',
          level: 'always',
          files: [{ path: '.mcp.json', sha256: sha(mcp('docs-server')) }],
        },
      ]);
    });

    test('without a path leaves out what needs no approval', async () => {
      put('Makefile', 'all:\n');
      expect((await trust('add', '--yes', ...hashes('.mcp.json', 'AGENTS.md'))).status).toBe(0);
      expect(await states()).toMatchObject({ '.mcp.json': 'approved', Makefile: 'new' });
      expect((await trust('add')).stdout).toBe('there is nothing to approve\n');
      await trust('add', '--yes', ...hashes('Makefile'));
      expect(await states()).toMatchObject({ Makefile: 'approved' });
    });

    test('accepts the output of status or list as viewed', async () => {
      const file = join(dirname(at.workspace), 'seen.json');
      writeFileSync(file, (await trust('status', '--json')).stdout);
      expect((await trust('add', '--yes', '--from', file)).status).toBe(0);
      writeFileSync(file, (await trust('list', '--json')).stdout);
      await trust('remove', '--all');
      expect((await trust('add', '--yes', '--from', file)).status).toBe(0);
      expect((await trust('status')).status).toBe(0);
    });

    test('refuses everything when a viewed file has changed, and names it', async () => {
      const given = hashes('.mcp.json', 'AGENTS.md');
      put('AGENTS.md', '# Be evil\n');
      const { status, stderr } = await trust('add', '--yes', ...given);
      expect([status, stderr]).toEqual([125, expect.stringContaining('"AGENTS.md" has changed since it was seen')]);
      expect(await states()).toEqual({ '.mcp.json': 'new', 'AGENTS.md': 'new' });
    });

    test('refuses an unviewed script', async () => {
      put('tools/run.sh', 'echo 1\n');
      put('.mcp.json', mcp('./tools/run.sh'));
      expect((await add('.mcp.json')).stderr).toContain('"tools/run.sh" was not seen');
    });

    test.each([
      ['a yes to what nobody has seen', ['add', '--yes'], 'HF_USAGE'],
      ['hashes without a yes', ['add', '--sha256', `a=${'0'.repeat(64)}`], 'HF_USAGE'],
      ['a hash that is none', ['add', '--yes', '--sha256', 'AGENTS.md=abc'], 'HF_USAGE'],
      ['a path at which nothing lies', ['add', 'src'], 'HF_USAGE'],
      ['another level', ['add', '--level', 'forever'], 'HF_USAGE'],
      ['a list that is none', ['add', '--yes', '--from', 'AGENTS.md'], 'HF_USAGE'],
      ['a list that is not there', ['add', '--yes', '--from', 'none.json'], 'HF_USAGE'],
      ['an unknown verb', ['trust'], 'HF_USAGE'],
      ['a word too many', ['status', 'more'], 'HF_USAGE'],
      ['removing without saying what', ['remove'], 'HF_USAGE'],
      ['removing this and everything', ['remove', 'AGENTS.md', '--all'], 'HF_USAGE'],
    ])('%s is refused', async (_name, words, code) => {
      const { status, stderr } = await trust(...words);
      expect([status, stderr]).toEqual([125, expect.stringContaining(code)]);
      expect(existsSync(join(dirname(at.journal), 'trust'))).toBe(false);
    });

    test.each(['1', 'true'])('asks nobody in CI, where CI is %s', async (CI) => {
      at = repository({ CI });
      expect(await trust('add')).toMatchObject({
        status: 125,
        stderr: expect.stringContaining('CI has no one to ask') as unknown,
      });
      expect((await add('.mcp.json')).status).toBe(0);
    });

    test.each(['HOLDFAST_TRUST', 'HOLDFAST_YES', 'TRUST_ALL', 'CONSILIUM_TRUST'])(
      'the variable %s approves nothing',
      async (name) => {
        at = repository({ [name]: '1', CI: '1' });
        expect((await trust('add')).status).toBe(125);
        expect(await states()).toEqual({ '.mcp.json': 'new', 'AGENTS.md': 'new' });
      },
    );

    test("for a login is where a login's files lie", async () => {
      const runtime = join(dirname(at.workspace), 'runtime');
      at = repository({ XDG_RUNTIME_DIR: runtime });
      expect((await trust('add', '.mcp.json', '--level', 'session', '--yes', ...hashes('.mcp.json'))).stdout).toContain(
        'until you log out',
      );
      expect(readdirSync(join(runtime, 'holdfast/trust'))).toHaveLength(1);
      expect(await states()).toMatchObject({ '.mcp.json': 'approved' });
      rmSync(runtime, { recursive: true });
      expect(await states()).toMatchObject({ '.mcp.json': 'new' });
    });
  });

  describe('rules of the policy', () => {
    const policy = (text: string): void => {
      mkdirSync(dirname(at.policy), { recursive: true });
      writeFileSync(at.policy, `version = 1\n[[trust]]\nname = "mine"\n${text}`);
    };

    test('that deny override a person’s approvals', async () => {
      await add('.mcp.json');
      policy('decision = "deny"\npaths = [".mcp.json"]\n');
      expect((await trust('status')).stdout).toContain('refused  .mcp.json');
      expect(await add('.mcp.json')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('the rule mine in') as unknown,
      });
    });

    test('that allow these bytes approve them, and no others', async () => {
      policy(`decision = "allow"\npaths = [".mcp.json"]\nsha256 = ["${sha(mcp('docs-server'))}"]\n`);
      expect((await trust('status')).stdout).toContain(': 1 approved, 1 not');
      put('.mcp.json', mcp('evil-server'));
      expect((await trust('status')).stdout).toContain(': 0 approved, 2 not');
    });
  });

  describe('remove', () => {
    test('takes an approval back, with a journal entry', async () => {
      await add('.mcp.json', 'AGENTS.md');
      expect((await trust('remove', '.mcp.json')).stdout).toMatch(/^revoked always {2}\.mcp\.json\n/u);
      expect(await states()).toEqual({ '.mcp.json': 'new', 'AGENTS.md': 'approved' });
      expect((await eventsIn(at.run)).at(-1)).toMatchObject({ action: 'revoke', files: [{ path: '.mcp.json' }] });
      expect((await trust('remove', '--all')).status).toBe(0);
      expect((await trust('list')).stdout).toContain(
        'No approvals yet. List the files that need one: holdfast trust status',
      );
    });

    test('takes back approvals of missing files', async () => {
      await add('.mcp.json');
      rmSync(join(at.workspace, '.mcp.json'));
      expect((await trust('remove', '.mcp.json')).status).toBe(0);
      expect((await trust('list', '--json')).stdout).toContain('"entries": []');
    });
  });

  describe('import', () => {
    const file = (value: unknown): string => {
      const path = join(dirname(at.workspace), 'trust.json');
      writeFileSync(path, JSON.stringify(value));
      return path;
    };

    test('approves nothing by itself', async () => {
      const { status, stderr } = await trust(
        'import',
        file({ version: 1, entries: [{ path: at.workspace, trustedAt: 1, level: 'always' }] }),
      );
      expect([status, stderr]).toEqual([125, expect.stringContaining('HF_TRUST_REFUSED')]);
      expect(await states()).toEqual({ '.mcp.json': 'new', 'AGENTS.md': 'new' });
    });

    test('approves the viewed files, at their level', async () => {
      const { status, stdout } = await trust(
        'import',
        file({ workspaces: [{ path: at.workspace, level: 'session', trustedAt: '2026-01-01T00:00:00Z' }] }),
        '--yes',
        ...hashes('.mcp.json', 'AGENTS.md'),
      );
      expect([status, stdout]).toEqual([
        0,
        expect.stringContaining('was trusted as a whole (session, 2026-01-01): 2 to approve\napproved 2\n'),
      ]);
      expect((await trust('list')).stdout).toMatch(/^session .*\nsession /u);
      expect((await eventsIn(at.run)).at(-1)).toMatchObject({ action: 'import', level: 'session' });
    });

    test('names missing files, and directories that cannot be workspaces', async () => {
      const { status, stderr } = await trust(
        'import',
        file({
          entries: [
            { path: '/nowhere', trustedAt: 1, level: 'always' },
            { path: '/usr', trustedAt: 1, level: 'always' },
          ],
        }),
        '--yes',
        ...hashes('.mcp.json'),
      );
      expect([status, stderr]).toEqual([1, expect.stringMatching(/\/nowhere is left out.*\n.*\/usr is left out/u)]);
    });

    test('refuses a file that is not a trust file', async () => {
      expect((await trust('import', file([]))).stderr).toContain('HF_TRUST_INVALID');
    });
  });

  test('a record that cannot be relied upon stops every verb, and stays', async () => {
    await add('.mcp.json');
    const directory = join(dirname(at.journal), 'trust');
    const record = join(directory, readdirSync(directory).find((name) => name.endsWith('.json')) ?? '');
    writeFileSync(record, 'half a rec');
    for (const words of [['status'], ['list'], ['diff'], ['add'], ['remove', '--all']])
      expect(await trust(...words), words[0]).toMatchObject({
        status: 125,
        stderr: expect.stringContaining('is broken or cut off') as unknown,
      });
    expect(readFileSync(record, 'utf8')).toBe('half a rec');
  });
});
