import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeCall, HookedProject, hookProgram, program } from '../lib/hooked.ts';

const canUnshare = spawnSync('unshare', ['-Urpfm', 'true']).status === 0;
if (!canUnshare) console.warn('SKIPPED: hooks in other namespaces, because none can be made here');

describe('with a server', () => {
  let project: HookedProject;
  beforeAll(() => {
    project = HookedProject.serve();
  });
  afterAll(() => project[Symbol.dispose]());
  const bash = (command: string): object => claudeCall(project.workspace, 'Bash', { command });
  const write = (path: string): object => claudeCall(project.workspace, 'Write', { file_path: path, content: 'x' });
  const isRefused = ({ stdout, status }: { readonly stdout: string; readonly status: number | null }): boolean =>
    status === 2 || stdout.includes('"permissionDecision":"deny"');

  test('a hook starts no Node, and gives the answer of a separate process', () => {
    const calls: readonly (readonly [string, object | string])[] = [
      ['claude', bash(`echo "it's" \u{1F600} > made`)],
      ['codex', bash('rm -rf ~')],
      [
        'gemini',
        {
          cwd: project.workspace,
          hook_event_name: 'BeforeTool',
          tool_name: 'write_file',
          tool_input: { file_path: join(project.home, '.bashrc'), content: 'x' },
        },
      ],
      ['opencode', '{"no": "call"}'],
      ['claude', 'not JSON'],
    ];
    for (const [agent, message] of calls) {
      const served = project.hook(agent, message);
      const alone = project.hook(agent, message, { environment: { XDG_RUNTIME_DIR: join(project.root, 'nobody') } });
      expect([served.by, alone.by], agent).toEqual(['server', 'node']);
      expect({ ...served, by: '' }, agent).toEqual({ ...alone, by: '' });
    }
  });

  test('a changed policy counts from the next call on', () => {
    const policy = (text: string): void =>
      void project.write('../home/.config/holdfast/policy.toml', `version = 1\n${text}`);
    const aside = join(project.home, 'aside');
    const told = (): readonly (boolean | string)[] => {
      const [one, other] = [project.hook('claude', write(aside)), project.hook('claude', bash('git push'))];
      expect([one.by, other.by]).toEqual(['server', 'server']);
      return [isRefused(one), isRefused(other)];
    };
    expect(told()).toEqual([true, false]);
    policy(`[files]\nwrite = ["${aside}"]\n`);
    expect(told()).toEqual([false, false]);
    policy('[commands]\ndeny = ["git push"]\n');
    expect(told()).toEqual([true, true]);
    policy('nonsense = 1\n');
    expect(told()).toEqual([true, true]);
    rmSync(join(project.home, '.config/holdfast/policy.toml'));
    project.write('holdfast.toml', 'version = 1\n[commands]\ndeny = ["git push"]\n');
    expect(told()).toEqual([true, true]);
    rmSync(join(project.workspace, 'holdfast.toml'));
    expect(told()).toEqual([true, false]);
  });

  test('a hook without a server does the same, and remembers only policy results', () => {
    const aside = join(project.home, 'aside');
    const told = (): boolean => {
      const alone = project.hook('claude', write(aside), {
        environment: { XDG_RUNTIME_DIR: join(project.root, 'nobody') },
      });
      expect(alone.by).toBe('node');
      return isRefused(alone);
    };
    expect([told(), told()]).toEqual([true, true]);
    const [kept = ''] = readdirSync(join(project.state, 'hooks'))
      .map((name) => join(project.state, 'hooks', name))
      .filter((file) => readFileSync(file, 'utf8').includes(aside));
    writeFileSync(kept, readFileSync(kept, 'utf8').replaceAll('"kind":"deny"', '"kind":"pass"'));
    // This user's own edit: nobody else can write there, and the next bytes of the policy ask again.
    expect(told()).toBe(false);
    project.write('holdfast.toml', 'version = 1\n');
    expect(told()).toBe(true);
    rmSync(join(project.workspace, 'holdfast.toml'));
  });

  test('each decision is in the journal, and holdfast why finds the refusal', () => {
    const before = project.journal().length;
    project.hook('claude', write(join(project.workspace, 'in-journal')));
    project.hook('claude', write(join(project.home, '.ssh/in-journal')));
    project.hook('claude', claudeCall(project.workspace, 'Tomorrow', { secret: 'PASSWORD' }));
    project.hook('claude', bash(`: ${'x'.repeat(100_000)}`));
    const kept = project.journal().slice(before);
    expect(kept.map(({ type, request }) => [type, request.kind])).toEqual([
      ['enforcement', 'file'],
      ['refusal', 'file'],
      ['refusal', 'tool'],
      ['enforcement', 'exec'],
    ]);
    expect(kept).toMatchObject(kept.map(() => ({ session: 'hook-claude', workspace: project.workspace })));
    expect(JSON.stringify(kept)).not.toContain('PASSWORD');
    expect(JSON.stringify(kept).length).toBeLessThan(20_000);
    const { stdout } = project.holdfast(['why', '--last', '2']);
    expect(stdout).toContain('.ssh/in-journal');
    expect(stdout).toContain('claude/Tomorrow');
    expect(project.holdfast(['audit', 'verify']).status).toBe(0);
  });

  test('an answer that the journal cannot record is a refusal', () => {
    const journal = join(project.state, 'journal.jsonl');
    renameSync(journal, `${journal}.aside`);
    mkdirSync(journal);
    const told = project.hook('claude', bash('ls'));
    rmSync(journal, { recursive: true });
    renameSync(`${journal}.aside`, journal);
    expect({ refused: isRefused(told), by: told.by }).toEqual({ refused: true, by: 'server' });
    expect(isRefused(project.hook('claude', bash('ls')))).toBe(false);
  });

  test('a hook with another home, another Holdfast or other mounts decides by itself', () => {
    const state = { XDG_STATE_HOME: join(project.home, '.local/state') };
    const script = join(project.root, 'other.cjs');
    writeFileSync(script, `process.argv[1] = ${JSON.stringify(program[1])}; require(process.argv[1]);`);
    mkdirSync(join(project.root, 'other'));
    const by = (options: Parameters<HookedProject['hook']>[2]): string =>
      project.hook('claude', bash('ls'), options).by;
    expect(by({ environment: state })).toBe('server');
    expect(by({ environment: { ...state, HOME: join(project.root, 'other') } })).toBe('node');
    expect(by({ words: [program[0], script] })).toBe('node');
    if (canUnshare) expect(by({ through: ['unshare', '-Urm'] })).toBe('node');
  });

  test('a hook with a relative path of its program decides by itself', () => {
    const [node, script] = program.map((path) => relative(project.workspace, path)) as [string, string];
    expect(project.hook('claude', bash('ls'), { words: [program[0], script] })).toMatchObject({
      by: 'node',
      status: 0,
    });
    expect(project.hook('claude', bash('ls'), { words: [node, program[1]] })).toMatchObject({ by: 'node', status: 0 });
  });

  // No shell makes such variables, but execve accepts them.
  const raw =
    'import ctypes, os, sys\nwords = [word.encode() for word in sys.argv[2:]]\nlines = [eval(sys.argv[1])] + [name + b"=" + value for name, value in os.environb.items()]\nlist_of = lambda texts: (ctypes.c_char_p * (len(texts) + 1))(*texts, None)\nctypes.CDLL(None).execve(words[0], list_of(words), list_of(lines))';
  test.each([
    ['b"NAME"', 'node'],
    ['b"=x"', 'node'],
    ['b""', 'node'],
    ['b"A=" + b"x" * 100000', 'server'],
    ['b"A=\\n"', 'server'],
    ['b"A="', 'server'],
  ])('a variable that is %s reaches the %s', (entry, by) => {
    const through = ['python3', '-c', raw, entry];
    expect(project.hook('claude', bash('ls'), { through })).toMatchObject({ by, status: 0 });
    expect(isRefused(project.hook('claude', write(join(project.home, '.ssh/x')), { through }))).toBe(true);
  });

  test('the place of a call is the hook’s start directory, with any earlier PWD', () => {
    const other = join(project.root, 'elsewhere');
    mkdirSync(other);
    writeFileSync(join(other, 'holdfast.toml'), 'version = 1\n[commands]\ndeny = ["git push"]\n');
    const call = {
      session_id: 's',
      cwd: project.workspace,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push' },
    };
    const served = project.hook('codex', call, { environment: { PWD: other } });
    const alone = project.hook('codex', call, {
      environment: { PWD: other, XDG_RUNTIME_DIR: join(project.root, 'nobody') },
    });
    expect([served.by, alone.by]).toEqual(['server', 'node']);
    for (const { stdout } of [served, alone]) expect(stdout).toContain(`'--workspace' '${project.workspace}'`);
  });

  test('Node decides a call that exceeds a question, and refuses 100 MB', () => {
    expect(
      project.hook('claude', claudeCall(project.workspace, 'Write', { file_path: 'x', content: 'x'.repeat(180_000) })),
    ).toMatchObject({ by: 'server', status: 0, stdout: '' });
    // With its place and its variables, each of these exceeds the limit of a question.
    const brim = claudeCall(project.workspace, 'Write', { file_path: 'x', content: '' });
    expect(
      project.hook(
        'claude',
        claudeCall(project.workspace, 'Write', {
          file_path: 'x',
          content: 'x'.repeat(192 * 1024 - JSON.stringify(brim).length - 10),
        }),
      ),
    ).toMatchObject({ by: 'node', status: 0, stdout: '' });
    expect(
      project.hook('claude', brim, { environment: { A: 'x'.repeat(100_000), B: 'x'.repeat(100_000) } }),
    ).toMatchObject({ by: 'node', status: 0, stdout: '' });
    const long = project.hook(
      'claude',
      claudeCall(project.workspace, 'Write', { file_path: 'x', content: 'x'.repeat(300_000) }),
    );
    expect({ ...long, refused: isRefused(long) }).toMatchObject({ by: 'node', status: 0, refused: false });
    const huge = project.hook('opencode', Buffer.alloc(100_000_000, 0x20));
    expect(JSON.parse(huge.stdout)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('more than') });
    for (const bytes of [Buffer.from('{"a":"\xff"}', 'latin1'), Buffer.from('\0'), Buffer.from('['.repeat(150_000))])
      expect(project.hook('claude', bytes).status).toBe(2);
  });
});

test('the program passes on no more of a call than the limit', () => {
  using project = new HookedProject();
  // Without this limit, the limit of a file's size would end it: 128 MiB.
  const { stdout, by } = project.hook('opencode', '', {
    through: ['sh', '-c', 'ulimit -f 262144; exec "$0" "$@" < /dev/zero'],
  });
  expect(by).toBe('node');
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('more than') });
});

test('the program starts only hooks', () => {
  using project = new HookedProject();
  const script = project.write('any.cjs', 'console.log("began")');
  const words = [['hook'], ['run', 'claude'], ['hooks', 'claude'], ['hook', 'claude', 'more']];
  for (const each of words)
    expect(
      spawnSync(hookProgram, [program[0], script, ...each], {
        cwd: project.workspace,
        env: project.environment,
        input: '{}',
        encoding: 'utf8',
      }),
      each.join(' '),
    ).toMatchObject({ status: 2, stdout: '' });
});

test('the program refuses if it cannot start', () => {
  using project = new HookedProject();
  expect(project.hook('claude', '{}', { words: ['/nonexistent/node', program[1]] }).status).toBe(2);
  expect(project.hook('claude', '{}', { words: [program[0]] }).status).toBe(2);
  const inert = claudeCall(project.workspace, 'TodoWrite', { todos: [] });
  expect(project.hook('claude', inert).status).toBe(0);
  for (const closed of ['0<&-', '1>&-', '2>&-'])
    expect(project.hook('claude', inert, { through: ['sh', '-c', `exec "$0" "$@" ${closed}`] }).status, closed).toBe(2);
});
