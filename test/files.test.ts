import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  promises as fs,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { type HoldfastError, Sandbox, type FileError, type FileOperation, type Files } from '../src/sandbox/index.ts';
import { openSession } from '../src/session/session.ts';
import { sessionFiles } from '../src/files/session/session-files.ts';
import { Files as FilesOf } from '../src/files/index.ts';
import { backends, Project } from './lib/holdfast.ts';
import { workersBelow } from './lib/files-workers.ts';

/** A file of the host that no policy grants, outside the places that each box replaces. */
const ungranted = join(mkdtempSync(join(homedir(), '.holdfast-test-')), 'tsconfig.json');
writeFileSync(ungranted, '{}');
afterAll(() => rmSync(dirname(ungranted), { recursive: true }));

async function failureOf(call: Promise<unknown>): Promise<FileError> {
  return call.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error as FileError,
  );
}

describe.each(backends)('sandbox.files on the %s backend', (backend) => {
  let project: Project;
  let sandbox: Sandbox;
  let files: Files;
  const at = (path: string): string => join(project.workspace, path);

  beforeAll(async () => {
    project = new Project();
    project.write('.env', 'KEY=canary\n');
    sandbox = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, backend });
    files = sandbox.files;
  });
  afterAll(async () => {
    await sandbox.close();
    project[Symbol.dispose]();
  });

  test('writes, reads, appends and lists', async () => {
    await files.write('notes/a/today.md', 'one\n');
    await files.append('notes/a/today.md', 'two\n');
    expect(await files.read('notes/a/today.md', { encoding: 'utf8' })).toBe('one\ntwo\n');
    expect(await files.read('notes/a/today.md', { offset: 4, length: 3 })).toEqual(Buffer.from('two'));
    expect(readFileSync(at('notes/a/today.md'), 'utf8')).toBe('one\ntwo\n');
    expect(
      (await files.list('notes', { depth: Number.POSITIVE_INFINITY })).map(({ path, type }) => [path, type]),
    ).toEqual([
      ['notes/a', 'directory'],
      ['notes/a/today.md', 'file'],
    ]);
    expect((await files.list('notes/a', { detail: 'stat' }))[0]?.info?.size).toBe(8);
  });

  test('a command of the sandbox sees written files, and the reverse', async () => {
    await files.write('shared.txt', 'from the library');
    const { stdout } = await sandbox.commands.run(['sh', '-c', 'cat shared.txt; echo from a command > back.txt']);
    expect(stdout.toString()).toBe('from the library');
    expect(await files.read('back.txt', { encoding: 'utf8' })).toBe('from a command\n');
  });

  describe('errors are those of node:fs', () => {
    const cases: readonly (readonly [
      string,
      (path: (name: string) => string) => Promise<unknown>,
      (path: (name: string) => string) => Promise<unknown>,
    ])[] = [
      ['read, missing', (p) => files.read(p('no')), (p) => fs.readFile(p('no'))],
      ['read, a directory', (p) => files.read(p('dir')), (p) => fs.readFile(p('dir'))],
      ['read, below a file', (p) => files.read(p('file/x')), (p) => fs.readFile(p('file/x'))],
      ['read, a loop', (p) => files.read(p('loop')), (p) => fs.readFile(p('loop'))],
      ['read, a name too long', (p) => files.read(p('n'.repeat(5000))), (p) => fs.readFile(p('n'.repeat(5000)))],
      [
        'write, exclusive',
        (p) => files.write(p('file'), '', { flag: 'wx' }),
        (p) => fs.writeFile(p('file'), '', { flag: 'wx' }),
      ],
      [
        'write, missing parents',
        (p) => files.write(p('no/x'), '', { parents: 'require' }),
        (p) => fs.writeFile(p('no/x'), ''),
      ],
      ['list, missing', (p) => files.list(p('no')), (p) => fs.readdir(p('no'))],
      ['list, a file', (p) => files.list(p('file')), (p) => fs.readdir(p('file'))],
      ['stat', (p) => files.stat(p('no')), (p) => fs.stat(p('no'))],
      ['lstat', (p) => files.lstat(p('no')), (p) => fs.lstat(p('no'))],
      ['makeDir, existing', (p) => files.makeDir(p('dir'), { parents: 'require' }), (p) => fs.mkdir(p('dir'))],
      ['makeDir, missing parents', (p) => files.makeDir(p('no/x'), { parents: 'require' }), (p) => fs.mkdir(p('no/x'))],
      ['rename, missing', (p) => files.rename(p('no'), p('b')), (p) => fs.rename(p('no'), p('b'))],
      [
        'rename, over a full directory',
        (p) => files.rename(p('empty'), p('dir')),
        (p) => fs.rename(p('empty'), p('dir')),
      ],
      ['link, missing', (p) => files.link(p('no'), p('b')), (p) => fs.link(p('no'), p('b'))],
      ['link, existing', (p) => files.link(p('file'), p('dir')), (p) => fs.link(p('file'), p('dir'))],
      ['symlink, existing', (p) => files.symlink('x', p('file')), (p) => fs.symlink('x', p('file'))],
      ['readlink, no link', (p) => files.readlink(p('file')), (p) => fs.readlink(p('file'))],
      ['realpath, missing', (p) => files.realpath(p('no')), (p) => fs.realpath(p('no'))],
      ['truncate, missing', (p) => files.truncate(p('no')), (p) => fs.truncate(p('no'))],
      ['truncate, a directory', (p) => files.truncate(p('dir')), (p) => fs.truncate(p('dir'))],
      ['times, missing', (p) => files.times(p('no'), { modified: 1n }), (p) => fs.utimes(p('no'), 1, 1)],
      ['owner, missing', (p) => files.owner(p('no'), { uid: 1 }), (p) => fs.chown(p('no'), 1, 1)],
      ['mode, missing', (p) => files.mode(p('no'), 0o600), (p) => fs.chmod(p('no'), 0o600)],
      ['remove, missing', (p) => files.remove(p('no')), (p) => fs.unlink(p('no'))],
      ['remove, a full directory', (p) => files.remove(p('dir')), (p) => fs.rmdir(p('dir'))],
      [
        'copy, missing',
        (p) => files.copy(p('no'), p('b'), { tree: 'single', symlink: 'follow' }),
        (p) => fs.copyFile(p('no'), p('b')),
      ],
      [
        'copy, existing',
        (p) => files.copy(p('file'), p('dir/in'), { existing: 'refuse', symlink: 'follow' }),
        (p) => fs.copyFile(p('file'), p('dir/in'), constants.COPYFILE_EXCL),
      ],
    ];

    test.each(cases)('%s', async (_, ours, theirs) => {
      const directory = at('errors');
      if (!existsSync(directory)) {
        mkdirSync(join(directory, 'dir'), { recursive: true });
        mkdirSync(join(directory, 'empty'));
        writeFileSync(join(directory, 'dir/in'), '');
        writeFileSync(join(directory, 'file'), '');
        symlinkSync('loop', join(directory, 'loop'));
      }
      const path = (name: string): string => join(directory, name);
      const [mine, node] = [await failureOf(ours(path)), await failureOf(theirs(path))];
      const fields = ({ code, errno, syscall, path: where, dest, message }: FileError): unknown => ({
        code,
        errno,
        syscall,
        where,
        dest,
        message,
      });
      expect(fields(mine)).toEqual(fields(node));
      expect(mine).not.toHaveProperty('refusal');
    });
  });

  describe('refusals of the policy', () => {
    test.each<[string, () => Promise<unknown>, { readonly code: RegExp; readonly reason: string }]>([
      [
        'a write outside',
        () => files.write('/etc/holdfast-test', 'x'),
        { code: /^(?:EROFS|EACCES)$/u, reason: 'not-granted' },
      ],
      [
        'a directory outside',
        () => files.makeDir('/usr/local/holdfast-test'),
        { code: /^(?:EROFS|EACCES)$/u, reason: 'not-granted' },
      ],
      [
        'a rename out',
        () => files.rename('shared.txt', '/usr/holdfast-test'),
        { code: /^(?:EROFS|EACCES|EXDEV)$/u, reason: 'not-granted' },
      ],
      [
        'a removal outside',
        () => files.remove('/etc/passwd'),
        { code: /^(?:EROFS|EACCES|EBUSY)$/u, reason: 'not-granted' },
      ],
      [
        'a protected file',
        () => files.write('.git/config', 'x'),
        { code: /^(?:EROFS|EACCES)$/u, reason: 'protected-path' },
      ],
      [
        'a new hook',
        () => files.write('.git/hooks/pre-commit', '#!/bin/sh\n'),
        { code: /^(?:EROFS|EACCES)$/u, reason: 'protected-path' },
      ],
      ['a hidden file', () => files.read('.env'), { code: /^(?:EACCES|ENOENT)$/u, reason: 'hidden-file' }],
      ['an ungranted path', () => files.read(ungranted), { code: /^(?:EACCES|ENOENT)$/u, reason: 'not-granted' }],
    ])('%s is refused by the kernel, with a reason', async (_, call, { code, reason }) => {
      const error = await failureOf(call());
      expect(error.code).toMatch(code);
      expect(error.refusal?.verdict).toMatchObject({ decision: 'deny', code: reason });
      expect(error.remedy).toBe(error.refusal?.verdict.remedy);
      expect(error.remedy).not.toBe('');
    });

    test('links out of the workspace stay closed, even after an exchange', async () => {
      const secret = ungranted;
      await files.symlink(secret, 'way-out');
      const error = await failureOf(files.read('way-out'));
      expect(error.code).toMatch(/^(?:EACCES|ENOENT)$/u);
      expect(error.refusal?.request.path).toBe(secret);
      await files.symlink('/etc', 'etc');
      expect((await failureOf(files.write('etc/holdfast-test', 'x'))).code).toMatch(/^(?:EROFS|EACCES)$/u);
      expect(existsSync('/etc/holdfast-test')).toBe(false);
    });

    test('appear in the journal, once', async () => {
      for (let count = 0; count < 3; count += 1) await failureOf(files.write('/etc/holdfast-once', 'x'));
      const refusals = readEvents(join(project.state, 'journal.jsonl')).filter(
        (event) =>
          event.type === 'refusal' && event.request.kind === 'file' && event.request.path === '/etc/holdfast-once',
      );
      expect(refusals).toMatchObject([
        { session: sandbox.id, observed: 'enforcement', verdict: { code: 'not-granted' } },
      ]);
    });

    test('a batch reports each operation', async () => {
      const outcomes = await files.batch(
        (batch) => {
          batch.write('batch/a', 'a');
          batch.write('/etc/holdfast-test', 'x');
          batch.write('batch/b', 'b');
        },
        { onFailure: 'continue' },
      );
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'done']);
      expect(outcomes[1]).toMatchObject({ error: { refusal: { verdict: { code: 'not-granted' } } } });
    });
  });

  test('keeps bytes unchanged: byte order marks, UTF-16, Windows-1251, names that are not UTF-8', async () => {
    const texts = {
      'bom.txt': Buffer.from('\u{feff}text', 'utf8'),
      'utf16.txt': Buffer.from('\u{feff}текст', 'utf16le'),
      'cp1251.txt': Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    };
    for (const [name, bytes] of Object.entries(texts)) {
      await files.write(`bytes/${name}`, bytes);
      expect(await files.read(`bytes/${name}`)).toEqual(bytes);
      expect(readFileSync(at(`bytes/${name}`))).toEqual(bytes);
    }
    const name = Buffer.concat([Buffer.from('bytes/'), Buffer.from([0xff, 0xfe, 0x0a, 0x80])]);
    await files.write(name, 'odd');
    const entry = (await files.list('bytes')).find(({ bytes }) => bytes.equals(name));
    expect(entry?.name).toContain('\u{fffd}');
    expect(await files.read(entry?.bytes ?? '', { encoding: 'utf8' })).toBe('odd');
    await files.remove(name);
    expect(await files.exists(name)).toBe(false);
  });

  test('handles links, copies, renames and exchanges', async () => {
    await files.write('links/a', 'a');
    await files.link('links/a', 'links/hard');
    await files.symlink('a', 'links/soft');
    expect(statSync(at('links/hard')).ino).toBe(statSync(at('links/a')).ino);
    expect([await files.readlink('links/soft'), readlinkSync(at('links/soft'))]).toEqual(['a', 'a']);
    expect(await files.realpath('links/soft')).toBe(at('links/a'));
    expect([(await files.lstat('links/soft')).type, (await files.stat('links/soft')).type]).toEqual([
      'symlink',
      'file',
    ]);
    await files.write('links/b', 'b');
    await files.rename('links/a', 'links/b', { existing: 'exchange' });
    expect([readFileSync(at('links/a'), 'utf8'), readFileSync(at('links/b'), 'utf8')]).toEqual(['b', 'a']);
    await files.copy('links', 'copied', { preserve: 'all' });
    expect(readlinkSync(at('copied/soft'))).toBe('a');
    expect((await failureOf(files.rename('links/a', 'links/b', { existing: 'refuse' }))).code).toBe('EEXIST');
    await files.remove('copied', { tree: 'whole' });
    await files.remove('copied', { tree: 'whole', missing: 'ignore' });
    expect(existsSync(at('copied'))).toBe(false);
  });

  test('times to the nanosecond, modes, owners and lengths', async () => {
    await files.write('meta', 'content', { mode: 0o640 });
    await files.times('meta', { accessed: 1_234_567_890_123_456_789n, modified: 987_654_321_000_000_001n });
    expect(await files.stat('meta')).toMatchObject({
      accessed: 1_234_567_890_123_456_789n,
      modified: 987_654_321_000_000_001n,
      size: 7,
      links: 1,
      type: 'file',
    });
    expect(lstatSync(at('meta'), { bigint: true }).mtimeNs).toBe(987_654_321_000_000_001n);
    await files.times('meta', { modified: new Date(5000) });
    expect(await files.stat('meta')).toMatchObject({ accessed: 1_234_567_890_123_456_789n, modified: 5_000_000_000n });
    await files.mode('meta', 0o755);
    const { uid, gid } = await files.stat('meta');
    await files.owner('meta', { uid, gid });
    await files.truncate('meta', 3);
    expect([readFileSync(at('meta'), 'utf8'), (statSync(at('meta')).mode & 0o777).toString(8)]).toEqual(['con', '755']);
  });

  test('an atomic replacement leaves hard links unchanged, and nothing beside the file', async () => {
    await files.write('atomic/x', 'old');
    linkSync(at('atomic/x'), at('atomic/y'));
    await files.write('atomic/x', 'new', { replace: 'atomic' });
    await files.write('atomic/x', Readable.from(['newer ', 'still']), { replace: 'atomic' });
    await failureOf(files.write('atomic/x', failing(), { replace: 'atomic' }));
    expect([
      readFileSync(at('atomic/x'), 'utf8'),
      readFileSync(at('atomic/y'), 'utf8'),
      readdirSync(at('atomic')),
    ]).toEqual(['newer still', 'old', ['x', 'y']]);
  });

  async function* failing(): AsyncGenerator<string> {
    yield 'part';
    await sleep(1);
    throw new Error('the source broke');
  }

  test('a stream passes in both directions, in bounded memory', async () => {
    const piece = Buffer.alloc(1 << 20, 'holdfast stream ');
    const pieces = 160;
    const hash = createHash('sha256');
    async function* source(): AsyncGenerator<Buffer> {
      for (let index = 0; index < pieces; index += 1) {
        piece.writeUInt32LE(index, 0);
        hash.update(piece);
        yield Buffer.from(piece);
      }
    }
    await files.write('stream', source());
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const back = createHash('sha256');
    let most = 0;
    for await (const chunk of files.readStream('stream')) {
      back.update(chunk as Buffer);
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(back.digest('hex')).toBe(hash.digest('hex'));
    expect(most).toBeLessThan(96 << 20);
    expect(
      createHash('sha256')
        .update(await files.read('stream'))
        .digest('hex'),
    ).toHaveLength(64);
    await files.remove('stream');
  });

  test('temporary files and directories are visible to commands, and are removed', async () => {
    let path = '';
    {
      await using directory = await files.temporaryDirectory({ prefix: 'work-' });
      await using file = await files.temporaryFile({ directory: directory.path, suffix: '.txt' });
      path = directory.path;
      expect(file.path).toMatch(/\.txt$/u);
      expect(statSync(file.path).mode & 0o777).toBe(0o600);
      const { exitCode } = await sandbox.commands.run(['test', '-f', file.path]);
      expect(exitCode).toBe(0);
    }
    expect(path).toContain('/work-');
    expect(existsSync(path)).toBe(false);
  });

  test('a watch reports changes by commands and by the host', async () => {
    await files.makeDir('watched/deep');
    await using watcher = await files.watch('watched', { depth: 'tree' });
    writeFileSync(at('watched/one'), 'x');
    await sandbox.commands.run(['sh', '-c', 'echo x > watched/deep/two; rm watched/one']);
    const seen: string[] = [];
    for await (const { event, path } of watcher) {
      seen.push(`${event} ${path}`);
      if (event === 'deleted') break;
    }
    expect(seen).toContain('created one');
    expect(seen).toContain('created deep/two');
    expect(seen.at(-1)).toBe('deleted one');
  });

  test('a missing path to watch is an error at once', async () => {
    expect((await failureOf(files.watch('not-there'))).code).toBe('ENOENT');
  });

  test('a directory of thousands is listed completely', async () => {
    const count = 5000;
    await files.batch(
      Array.from(
        { length: count },
        (_, index): FileOperation => ({
          kind: 'write',
          path: `many/file-${index}`,
          data: Buffer.alloc(0),
          flags: constants.O_CREAT,
          mode: 0o644,
          parents: 'make',
          replace: 'in-place',
        }),
      ),
    );
    const names = (await files.list('many', { detail: 'stat' })).map(({ name }) => name);
    expect(new Set(names).size).toBe(count);
    await files.remove('many', { tree: 'whole' });
  });

  test('cancels long operations', async () => {
    await files.batch(
      Array.from(
        { length: 3000 },
        (_, index): FileOperation => ({
          kind: 'write',
          path: `long/file-${index}`,
          data: Buffer.alloc(10),
          flags: constants.O_CREAT,
          mode: 0o644,
          parents: 'make',
          replace: 'in-place',
        }),
      ),
    );
    const error = await failureOf(files.copy('long', 'long-copy', { signal: AbortSignal.timeout(5) }));
    expect(error.code).toBe('ECANCELED');
    expect((await files.list('long-copy')).length).toBeLessThan(3000);
    expect(await files.exists('long/file-2999')).toBe(true);
  });

  test('FIFOs and sockets block nothing', async () => {
    spawnSync('mkfifo', [at('fifo')]);
    // Nobody ever opens its other end: a call that waits for it outlasts the test.
    expect((await failureOf(files.read('fifo'))).code).toBe('ESPIPE');
    expect(await files.exists('fifo')).toBe(true);
  });

  test('the worker has no environment, and cannot be reached through /proc', async () => {
    expect((await files.read('/proc/self/environ')).length).toBe(0);
    expect((await failureOf(files.write('/proc/self/fd/1', 'garbage'))).code).toMatch(/^E/u);
    expect((await failureOf(files.read('/proc/self/fd/0'))).code).toMatch(/^E/u);
    expect(await files.exists('shared.txt')).toBe(true);
  });

  describe('when the worker is killed', () => {
    /** A worker without open calls is killed between two calls. The next call may still reach its remains. */
    const writeAnew = (path: string): Promise<void> =>
      expect
        .poll(() =>
          files.write(path, '').then(
            () => 'written',
            ({ code }: HoldfastError) => code,
          ),
        )
        .toBe('written');

    test('in the middle of a batch, each line is written at most once, and the caller knows the progress', async () => {
      for (let round = 0; round < 8; round += 1) {
        await writeAnew('killed.log');
        const lines = Array.from(
          { length: 4000 },
          (_, index): FileOperation => ({
            kind: 'write',
            path: 'killed.log',
            data: Buffer.from(`line ${index}\n`),
            flags: constants.O_APPEND,
            mode: 0o644,
            parents: 'require',
            replace: 'in-place',
          }),
        );
        const batch = files.batch(lines);
        await sleep(2 + round * 3);
        for (const pid of workersBelow(process.pid)) process.kill(pid, 'SIGKILL');
        const loss = await batch.then(
          () => undefined,
          (error: unknown) => error as HoldfastError,
        );
        const written = readFileSync(at('killed.log'), 'utf8').split('\n').slice(0, -1);
        expect(written).toEqual(written.map((_, index) => `line ${index}`));
        if (loss === undefined) continue;
        expect(loss.code).toBe('HF_FILES_WORKER_ENDED');
        const { done, inDoubt, notRun } = loss.details as Record<'done' | 'inDoubt' | 'notRun', readonly number[]>;
        expect(written.length - done.length).toBeOneOf([0, inDoubt.length]);
        expect([inDoubt.length <= 1, done.length + inDoubt.length + notRun.length]).toEqual([true, lines.length]);
      }
    });

    test('the next call starts another, and repeats no earlier operation', async () => {
      await writeAnew('again.log');
      for (const pid of workersBelow(process.pid)) process.kill(pid, 'SIGKILL');
      await failureOf(files.append('again.log', 'x')).catch(() => undefined);
      await sleep(50);
      await files.append('again.log', 'last\n');
      expect(readFileSync(at('again.log'), 'utf8').replace(/^x?/u, '')).toBe('last\n');
    });
  });

  describe('a one-shot worker', () => {
    test('does only the remaining operations of a narrowed policy', async () => {
      await files.makeDir('narrow/inside');
      await using shot = await files.oneShot({ write: ['narrow/inside'] });
      await shot.write('narrow/inside/x', 'x');
      const error = await failureOf(shot.write('narrow/y', 'y'));
      expect(error.code).toMatch(/^(?:EROFS|EACCES)$/u);
      expect(error.refusal?.verdict).toMatchObject({ code: 'outside-ceiling', layer: 'session' });
      expect(await shot.read('shared.txt', { encoding: 'utf8' })).toBe('from the library');
      await files.write('narrow/y', 'y');
    });

    test('with narrowed reading sees nothing else', async () => {
      await using shot = await files.oneShot({ read: ['narrow'], write: [] });
      expect(await shot.exists('shared.txt')).toBe(false);
      expect((await shot.list('narrow')).map(({ name }) => name).toSorted()).toEqual(['inside', 'y']);
      expect((await failureOf(shot.write('narrow/inside/z', ''))).code).toMatch(/^(?:EROFS|EACCES)$/u);
    });

    test.each([[{ write: ['/etc'] }], [{ read: [ungranted] }], [{ write: ['not-there'] }], [{ read: ['.env'] }]])(
      '%j is refused: wider, or without a place',
      async (options) => {
        await expect(files.oneShot(options)).rejects.toMatchObject({ code: 'HF_USAGE' });
      },
    );
  });

  test('the journal has one start for the worker, not one for each call', () => {
    const starts = readEvents(join(project.state, 'journal.jsonl')).filter(
      (event) => event.type === 'session.start' && event.argv[0]?.endsWith('/holdfast-files') === true,
    );
    expect(starts.length).toBeGreaterThan(0);
    expect(starts.length).toBeLessThan(20);
  });
});

describe('without a worker', () => {
  async function filesWith(project: Project, filesWorker: string): Promise<FilesOf> {
    const session = await openSession({
      cwd: project.workspace,
      environment: project.libraryEnvironment,
      workspace: project.workspace,
    });
    return new FilesOf(
      sessionFiles({
        ...session,
        place: { ...session.place, installation: { ...session.place.installation, filesWorker } },
      }),
    );
  }

  test('nothing runs if it was not built', async () => {
    using project = new Project();
    await using files = await filesWith(project, '/srv/holdfast-files');
    await expect(files.write('x', 'y')).rejects.toMatchObject({
      code: 'HF_FILES_UNAVAILABLE',
      remedy: expect.stringContaining('make'),
    });
    expect(existsSync(join(project.workspace, 'x'))).toBe(false);
  });

  test.each(['/bin/true', '/bin/echo', '/bin/cat', '/no/such/program'])('%s is not a worker', async (program) => {
    using project = new Project();
    await using files = await filesWith(project, existsSync(program) ? program : '/usr/bin/env');
    const outcome = await Promise.race([
      files.write('x', 'y').catch((error: unknown) => (error as HoldfastError).code),
      sleep(60_000),
    ]);
    expect(outcome).toBe('HF_FILES_UNAVAILABLE');
    expect(existsSync(join(project.workspace, 'x'))).toBe(false);
  });
});

test('a program that closes nothing still ends, and its worker with it', () => {
  using project = new Project();
  const script = `import { Sandbox } from '${join(import.meta.dirname, '../src/sandbox/index.ts')}'; const sandbox = await Sandbox.create({ workspace: process.cwd(), environment: process.env }); await sandbox.files.write('x', 'y'); console.log('done');`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', script],
    { cwd: project.workspace, env: project.environment, encoding: 'utf8', timeout: 10_000 },
  );
  expect([status, stdout, stderr]).toEqual([0, 'done\n', '']);
  expect(readFileSync(join(project.workspace, 'x'), 'utf8')).toBe('y');
});

test('an unapproved call is refused with the asking rule; a redirected one reaches its target', async () => {
  using project = new Project();
  const config = join(project.home, '.config');
  for (const name of ['asked/f', 'led/f', 'elsewhere/.keep']) project.write(name, 'old');
  project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1
[[file]]
name = "removals"
decision = "ask"
paths = ["asked"]
operations = ["delete"]
[[file]]
name = "elsewhere"
decision = "redirect"
paths = ["led"]
redirect_to = ${JSON.stringify(join(project.workspace, 'elsewhere'))}
`,
  );
  const asked: string[] = [];
  const approve = async ({ request }: { readonly request: { readonly kind: string } }): Promise<'deny'> => {
    asked.push(request.kind);
    return 'deny';
  };
  await using sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment: {
      ...project.environment,
      XDG_CONFIG_HOME: config,
      XDG_STATE_HOME: join(project.home, '.local/state'),
    },
    approve,
  });
  await sandbox.files.write('asked/f', 'written');
  expect(await failureOf(sandbox.files.remove('asked/f'))).toMatchObject({
    code: 'EACCES',
    refusal: { verdict: { decision: 'ask', rule: 'removals' } },
    remedy: expect.stringContaining('removals'),
  });
  expect(asked).toEqual(['file']);
  await sandbox.files.write('led/f', 'new');
  const contents = ['asked/f', 'led/f', 'elsewhere/f'].map((name) =>
    readFileSync(join(project.workspace, name), 'utf8'),
  );
  expect(contents).toEqual(['written', 'old', 'new']);
});

test('the worker has no network, even if commands have one', async () => {
  using project = new Project();
  await using sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment: project.libraryEnvironment,
    grants: { hosts: ['example.com:443'] },
  });
  await sandbox.files.write('x', 'y');
  expect((await sandbox.files.read('/proc/net/tcp', { encoding: 'utf8' })).trim().split('\n')).toHaveLength(1);
  expect(await sandbox.files.read('x', { encoding: 'utf8' })).toBe('y');
  await using shot = await sandbox.files.oneShot({ write: [] });
  expect((await failureOf(shot.write('x', 'z'))).code).toMatch(/^(?:EROFS|EACCES)$/u);
});

test('in a staged sandbox writes are visible to its commands, and wait for the review', async () => {
  using project = new Project();
  await using sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment: project.libraryEnvironment,
    staged: 'new',
  });
  await sandbox.files.write('kept-aside.txt', 'aside');
  const { stdout } = await sandbox.commands.run(['cat', 'kept-aside.txt']);
  expect(stdout.toString()).toBe('aside');
  await expect(sandbox.files.oneShot({ write: [] })).rejects.toMatchObject({ code: 'HF_GUARANTEE_MISSING' });
  expect(existsSync(join(project.workspace, 'kept-aside.txt'))).toBe(false);
});
