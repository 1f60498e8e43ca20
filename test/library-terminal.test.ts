import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Sandbox, type CommandHandle } from '../src/sandbox/index.ts';
import { backends, has, Project } from './lib/holdfast.ts';

const size = { columns: 91, rows: 31 } as const;
const editor = ['vim', 'vim.tiny', 'vi'].find(has);
if (editor === undefined)
  console.warn('SKIPPED: a full-screen editor, because no vim is installed (Debian: apt-get install vim-tiny)');

/** The terminal's output, as it arrives. */
function screen(handle: CommandHandle) {
  let seen = '';
  handle.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  return {
    /** Waits for the next match after the earlier ones. */
    async shows(pattern: RegExp): Promise<string> {
      await expect
        .poll(() => pattern.test(seen), { timeout: 20_000, message: `${pattern} in ${JSON.stringify(seen)}` })
        .toBe(true);
      const found = pattern.exec(seen)?.[0] ?? '';
      seen = seen.slice(seen.search(pattern) + found.length);
      return found;
    },
  };
}

describe.each(backends)('a terminal of a command, with %s,', (backend) => {
  const create = (project: Project): Promise<Sandbox> =>
    Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, backend });

  test('has the requested size, and takes a new one', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const handle = sandbox.commands.start(
      [
        'sh',
        '-c',
        'stty size; stty size < /dev/tty; test -t 0 && test -t 1 && test -t 2 && echo all three; read line; stty size; exit 3',
      ],
      { terminal: size },
    );
    const { shows } = screen(handle);
    await shows(/^31 91\r\n31 91\r\nall three\r\n/u);
    handle.resize({ columns: 120, rows: 50 });
    handle.stdin.write('go\r');
    await shows(/go\r\n50 120\r\n/u);
    expect(await handle.ended).toMatchObject({ exitCode: 3, ending: 'exited' });
  });

  test('gives a shell job control: Ctrl-C ends the foreground job, Ctrl-D the shell', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const handle = sandbox.commands.start(['bash', '--norc', '--noprofile', '-i'], {
      terminal: size,
      environment: { PS1: 'ready> ' },
    });
    const { shows } = screen(handle);
    await shows(/ready> /u);
    handle.stdin.write("trap 'echo changed $LINES $COLUMNS' WINCH; sh -c 'echo in''side; exec sleep 4914'\r");
    await shows(/inside\r\n/u);
    handle.stdin.write('\x03');
    await shows(/ready> /u);
    handle.stdin.write('echo status=$?\r');
    await shows(/status=130\r\n/u);
    handle.resize({ columns: 77, rows: 22 });
    handle.stdin.write('\r\r');
    await shows(/changed 22 77\r\n/u);
    handle.stdin.end();
    expect(await handle.ended).toMatchObject({ signal: 0, ending: 'exited' });
  });
});

describe('a terminal of a command', () => {
  const create = (project: Project): Promise<Sandbox> =>
    Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });

  test.skipIf(editor === undefined)('lets an editor redraw in another size', async () => {
    using project = new Project();
    project.write('file', 'words\n');
    await using sandbox = await create(project);
    const handle = sandbox.commands.start([editor ?? '', '-u', 'NONE', '-N', 'file'], { terminal: size });
    const { shows } = screen(handle);
    await shows(/words/u);
    handle.resize({ columns: 60, rows: 12 });
    // The last line of the smaller screen.
    await shows(/\[12;\d+H/u);
    handle.stdin.write('Gomore\x1b:wq\r');
    expect(await handle.ended).toMatchObject({ exitCode: 0 });
    expect(project.outside('cat', ['file']).stdout).toBe('words\nmore\n');
  });

  test('is readable through any connection', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const { id } = sandbox.commands.start(['cat'], { terminal: size, output: 'kept' });
    const connection = sandbox.commands.connect(id);
    connection.stdin.write('typed\r');
    let seen = '';
    for await (const { data } of connection) {
      seen += data.toString();
      if (seen === 'typed\r\ntyped\r\n') connection.stdin.end();
    }
    expect(seen).toBe('typed\r\ntyped\r\n');
    expect(await connection.ended).toMatchObject({ exitCode: 0 });
  });

  test('does not block this process if the command does not read its input', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const handle = sandbox.commands.start(['sh', '-c', 'stty raw -echo; echo ready; exec sleep 4914'], {
      terminal: size,
    });
    const { shows } = screen(handle);
    await shows(/ready/u);
    handle.stdin.write(Buffer.alloc(1_000_000, 'x'));
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 5);
    await expect.poll(() => turns).toBeGreaterThan(10);
    clearInterval(turning);
    handle.kill('SIGKILL');
    expect(await handle.ended).toMatchObject({ exitCode: 137 });
  });

  test('shows all of a large output, to its last byte', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const handle = sandbox.commands.start(['sh', '-c', 'stty -opost; seq 200000'], { terminal: size });
    let [length, last] = [0, ''];
    // The terminal's output arrives in pieces of any size.
    for await (const { data } of handle)
      [length, last] = [length + data.length, `${last}${data.toString()}`.slice(-20)];
    expect(last.endsWith('\n200000\n')).toBe(true);
    expect(length).toBe(
      Array.from({ length: 200_000 }, (_, index) => String(index + 1).length + 1).reduce((sum, each) => sum + each, 0),
    );
  });

  test('an invalid size is an error, and so is a resize without a terminal', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    expect(() => sandbox.commands.start(['true'], { terminal: { columns: 0, rows: 24 } })).toThrow(
      expect.objectContaining({ code: 'HF_USAGE' }),
    );
    const handle = sandbox.commands.start(['true']);
    expect(() => handle.resize(size)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
    handle.stdout.resume();
    handle.stderr.resume();
    await handle.ended;
  });

  test('leaves no descriptor behind', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const terminals = (): number =>
      readdirSync('/proc/self/fd').filter((each) => isTerminal(`/proc/self/fd/${each}`)).length;
    const before = terminals();
    for (let round = 0; round < 5; round += 1) {
      const handle = sandbox.commands.start(['true'], { terminal: size });
      handle.stdout.resume();
      await handle.ended;
    }
    expect(() => sandbox.commands.start(['true'], { terminal: size, timeoutMs: -1 })).toThrow();
    await expect.poll(terminals, { timeout: 10_000 }).toBe(before);
  });
});

function isTerminal(descriptor: string): boolean {
  try {
    return /ptmx|pts/u.test(readlinkSync(descriptor));
  } catch {
    return false;
  }
}
