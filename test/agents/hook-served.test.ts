import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeFrame } from '../../src/serve/wire/frame.ts';
import { claudeCall, HookedProject, hookProgram, program } from '../lib/hooked.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: a listener and a directory of another user, because only root can start one');
const canUnshare = spawnSync('unshare', ['-Urpfm', 'true']).status === 0;
if (!canUnshare) console.warn('SKIPPED: hooks and listeners in other namespaces, because none can be made here');

describe('with a server', () => {
  let project: HookedProject;
  beforeAll(() => {
    project = HookedProject.serve();
  });
  afterAll(() => project[Symbol.dispose]());
  const bash = (command: string): object => claudeCall(project.workspace, 'Bash', { command });
  const write = (path: string): object => claudeCall(project.workspace, 'Write', { file_path: path, content: 'x' });
  const isRefused = ({ stdout, status }: { readonly stdout: string; readonly status: number | null }): boolean => status === 2 || stdout.includes('"permissionDecision":"deny"');

  test('a hook starts no Node, and says what a process of its own says', () => {
    const calls: readonly (readonly [string, object | string])[] = [
      ['claude', bash(`echo "it's" \u{1F600} > made`)],
      ['codex', bash('rm -rf ~')],
      ['gemini', { cwd: project.workspace, hook_event_name: 'BeforeTool', tool_name: 'write_file', tool_input: { file_path: join(project.home, '.bashrc'), content: 'x' } }],
      ['opencode', '{"no": "call"}'],
      ['claude', 'no JSON'],
    ];
    for (const [agent, message] of calls) {
      const served = project.hook(agent, message);
      const alone = project.hook(agent, message, { environment: { XDG_RUNTIME_DIR: join(project.root, 'nobody') } });
      expect([served.by, alone.by], agent).toEqual(['server', 'node']);
      expect({ ...served, by: '' }, agent).toEqual({ ...alone, by: '' });
    }
  });

  test('a policy that has changed counts from the next call on', () => {
    const policy = (text: string): void => void project.write('../home/.config/holdfast/policy.toml', `version = 1\n${text}`);
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

  test('and so it does for a hook by itself, which remembers what follows from the policy alone', () => {
    const aside = join(project.home, 'aside');
    const told = (): boolean => {
      const alone = project.hook('claude', write(aside), { environment: { XDG_RUNTIME_DIR: join(project.root, 'nobody') } });
      expect(alone.by).toBe('node');
      return isRefused(alone);
    };
    expect([told(), told()]).toEqual([true, true]);
    const [kept = ''] = readdirSync(join(project.state, 'hooks')).map((name) => join(project.state, 'hooks', name)).filter((file) => readFileSync(file, 'utf8').includes(aside));
    writeFileSync(kept, readFileSync(kept, 'utf8').replaceAll('"kind":"deny"', '"kind":"pass"'));
    // This user's own hand: nobody else has one there, and the next bytes of the policy ask anew.
    expect(told()).toBe(false);
    project.write('holdfast.toml', 'version = 1\n');
    expect(told()).toBe(true);
    rmSync(join(project.workspace, 'holdfast.toml'));
  });

  test('what was decided is in the journal, and holdfast why finds what was refused', () => {
    const before = project.journal().length;
    project.hook('claude', write(join(project.workspace, 'in-journal')));
    project.hook('claude', write(join(project.home, '.ssh/in-journal')));
    project.hook('claude', claudeCall(project.workspace, 'Tomorrow', { secret: 'PASSWORD' }));
    project.hook('claude', bash(`: ${'x'.repeat(100_000)}`));
    const kept = project.journal().slice(before);
    expect(kept.map(({ type, request }) => [type, request.kind])).toEqual([['enforcement', 'file'], ['refusal', 'file'], ['refusal', 'tool'], ['enforcement', 'exec']]);
    expect(kept).toMatchObject(kept.map(() => ({ session: 'hook-claude', workspace: project.workspace })));
    expect(JSON.stringify(kept)).not.toContain('PASSWORD');
    expect(JSON.stringify(kept).length).toBeLessThan(20_000);
    const { stdout } = project.holdfast(['why', '--last', '2']);
    expect(stdout).toContain('.ssh/in-journal');
    expect(stdout).toContain('claude/Tomorrow');
    expect(project.holdfast(['audit', 'verify']).status).toBe(0);
  });

  test('what cannot be kept in the journal is refused', () => {
    const journal = join(project.state, 'journal.jsonl');
    renameSync(journal, `${journal}.aside`);
    mkdirSync(journal);
    const told = project.hook('claude', bash('ls'));
    rmSync(journal, { recursive: true });
    renameSync(`${journal}.aside`, journal);
    expect({ refused: isRefused(told), by: told.by }).toEqual({ refused: true, by: 'server' });
    expect(isRefused(project.hook('claude', bash('ls')))).toBe(false);
  });

  test('a hook of another home, another Holdfast or other mounts decides by itself', () => {
    const state = { XDG_STATE_HOME: join(project.home, '.local/state') };
    const script = join(project.root, 'other.cjs');
    writeFileSync(script, `process.argv[1] = ${JSON.stringify(program[1])}; require(process.argv[1]);`);
    mkdirSync(join(project.root, 'other'));
    const by = (options: Parameters<HookedProject['hook']>[2]): string => project.hook('claude', bash('ls'), options).by;
    expect(by({ environment: state })).toBe('server');
    expect(by({ environment: { ...state, HOME: join(project.root, 'other') } })).toBe('node');
    expect(by({ words: [program[0], script] })).toBe('node');
    if (canUnshare) expect(by({ through: ['unshare', '-Urm'] })).toBe('node');
  });

  test('what no question can hold is decided by Node, and 100 MB are refused', () => {
    expect(project.hook('claude', claudeCall(project.workspace, 'Write', { file_path: 'x', content: 'x'.repeat(180_000) }))).toMatchObject({ by: 'server', status: 0, stdout: '' });
    const long = project.hook('claude', claudeCall(project.workspace, 'Write', { file_path: 'x', content: 'x'.repeat(300_000) }));
    expect({ ...long, refused: isRefused(long) }).toMatchObject({ by: 'node', status: 0, refused: false });
    const huge = project.hook('opencode', Buffer.alloc(100_000_000, 0x20));
    expect(JSON.parse(huge.stdout)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('more than') });
    for (const bytes of [Buffer.from('{"a":"\xff"}', 'latin1'), Buffer.from('\0'), Buffer.from('['.repeat(150_000))]) expect(project.hook('claude', bytes).status).toBe(2);
  });
});

describe('who listens there', () => {
  const yes = [{ type: 'message', channel: 1, payload: Buffer.from('{"kind":"result","result":{"status":0}}') }] as const;

  /** A project whose Node only says that it was started, at a socket where `answer` is given. */
  async function place(answer: (socket: Socket) => void) {
    const project = new HookedProject();
    const script = join(project.root, 'alone.cjs');
    writeFileSync(script, 'process.exitCode = 2');
    mkdirSync(project.runtime, { recursive: true, mode: 0o700 });
    const server = createServer((socket) => answer(socket.on('error', () => undefined)));
    onTestFinished(() => {
      server.close();
      rmSync(join(project.runtime, 'serve.sock'), { force: true });
      project[Symbol.dispose]();
    });
    const ask = (): Promise<number | null> => asked(project, script);
    return { project, server, ask, listen: () => new Promise<void>((resolve) => server.listen(join(project.runtime, 'serve.sock'), resolve)) };
  }

  /** Not `hook`, which would hold up the server of this process. */
  async function asked(project: HookedProject, script: string): Promise<number | null> {
    const child = spawn(hookProgram, [program[0], script, 'hook', 'claude'], { env: project.environment, stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end(JSON.stringify(claudeCall(project.workspace, 'Bash', { command: 'rm -rf ~' })));
    const [status] = (await once(child, 'close')) as [number | null];
    return status;
  }

  const says = (frames: readonly Parameters<typeof encodeFrame>[0][]) => (socket: Socket) => void frames.map((frame) => socket.write(encodeFrame(frame)));

  test('is heard in a directory of this user alone, and nowhere else', async () => {
    const { project, ask, listen } = await place(says(yes));
    await listen();
    expect(await ask()).toBe(0);
    chmodSync(project.runtime, 0o770);
    expect(await ask()).toBe(2);
    chmodSync(project.runtime, 0o700);
    if (isRoot) {
      chownSync(project.runtime, 65_534, 65_534);
      expect(await ask()).toBe(2);
      chownSync(project.runtime, 0, 0);
    }
    renameSync(project.runtime, join(project.root, 'moved'));
    symlinkSync(join(project.root, 'moved'), project.runtime);
    expect(await ask()).toBe(2);
  });

  const message = (text: string) => [{ type: 'message', channel: 1, payload: Buffer.from(text) }] as const;
  test.each<readonly [string, (socket: Socket) => void]>([
    ['a status that would let the tool run', says(message('{"kind":"result","result":{"status":1}}'))],
    ['an error', says(message('{"kind":"error","error":{"code":"HF_INTERNAL","message":"","remedy":""}}'))],
    ['an answer to another request', says([{ ...yes[0], channel: 2 }])],
    ['a result that goes on', says(message('{"kind":"result","result":{"status":0}} '))],
    ['more output than a hook takes', says([...Array.from({ length: 5 }, () => ({ type: 'stdout', channel: 1, payload: Buffer.alloc(64 * 1024) }) as const), ...yes])],
    ['nothing, and leaves', (socket) => void socket.end()],
    ['half a frame, and waits', (socket) => void socket.write(Buffer.from([0, 0, 0]))],
    ['a frame of no type', (socket) => void socket.write(Buffer.from([0, 0, 0, 0, 9, 0, 0, 0, 1]))],
  ])('says %s: Node decides', async (_what, answer) => {
    const { ask, listen } = await place((socket) => {
      answer(socket);
      socket.resume().on('end', () => socket.end());
    });
    await listen();
    expect(await ask()).toBe(2);
  });

  const listener = `$SIG{PIPE} = 'IGNORE'; use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un($ARGV[0])); if ($ARGV[1]) { $< = $> = $ARGV[1] } listen($s, 5); print "ready\\n"; close STDOUT; while (accept(my $c, $s)) { syswrite($c, pack("NCN", 39, 0, 1) . q({"kind":"result","result":{"status":0}})); sysread($c, my $x, 1) while !$x; close $c }`;
  const cases: readonly { readonly what: string; readonly words: readonly string[]; readonly uid: string; readonly status: number; readonly can: boolean }[] = [
    { what: 'this user', words: [], uid: '0', status: 0, can: true },
    { what: 'another user', words: [], uid: '65534', status: 2, can: isRoot },
    { what: 'a process of other namespaces, as a box is', words: ['unshare', '-Urpf'], uid: '0', status: 2, can: canUnshare },
  ];
  test.each(cases.filter(({ can }) => can))('as $what: ends with $status', async ({ words, uid, status }) => {
    const { project, ask } = await place(() => undefined);
    const [command = '', ...rest] = [...words, 'perl', '-e', `$| = 1; ${listener}`, join(project.runtime, 'serve.sock'), uid];
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
    await once(child.stdout, 'data');
    expect(await ask()).toBe(status);
  });
});

test('the program says no where it cannot even begin', () => {
  using project = new HookedProject();
  expect(project.hook('claude', '{}', { words: ['/nonexistent/node', program[1]] }).status).toBe(2);
  expect(project.hook('claude', '{}', { words: [program[0]] }).status).toBe(2);
  const inert = claudeCall(project.workspace, 'TodoWrite', { todos: [] });
  expect(project.hook('claude', inert).status).toBe(0);
  for (const closed of ['0<&-', '1>&-', '2>&-']) expect(project.hook('claude', inert, { through: ['sh', '-c', `exec "$0" "$@" ${closed}`] }).status, closed).toBe(2);
});
