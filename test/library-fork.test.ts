import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { Sandbox, type SandboxOptions } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

const create = (project: Project, options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, staged: 'new', ...options });
const layers = (project: Project): readonly string[] =>
  readdirSync(join(project.state, 'staged')).filter((name) => !name.startsWith('.'));
const printed = async (sandbox: Sandbox, script: string): Promise<string> => {
  const { exitCode, stdout, stderr } = await sandbox.commands.run(['sh', '-c', script]);
  expect({ exitCode, stderr: String(stderr) }).toEqual({ exitCode: 0, stderr: '' });
  return String(stdout);
};

/**
 * An overlay's marks in its upper directory: a whiteout, an opaque directory, links, attributes, holes, and mere names.
 */
const everything = [
  'rm gone gone2; rm -r old; mkdir old; echo new > old/new',
  'echo more >> kept; chmod 750 kept; ln kept kept-too; ln -s kept link; mkfifo pipe',
  `python3 -c 'import os; os.setxattr("kept", "user.note", b"x"); f = open("holes", "wb"); f.truncate(1 << 22); f.seek(1 << 21); f.write(b"data"); f.close(); os.utime("holes", ns=(5, 1234567891))'`,
].join('; ');
const look = `ls -R; cat kept old/*; readlink link; stat -c '%n %a %h %s %Y' kept kept-too holes; python3 -c 'import os; print(os.listxattr("kept"), os.stat("holes").st_mtime_ns)'`;

function scene(): Project {
  const project = new Project();
  for (const name of ['gone', 'gone2', 'kept', 'old/one', 'old/two']) project.write(name, `${name}\n`);
  return project;
}

describe('sandbox.fork', () => {
  test('gives sandboxes with the same start, which then continue separately', async () => {
    using project = scene();
    await using sandbox = await create(project);
    await printed(sandbox, everything);
    const seen = await printed(sandbox, look);
    expect(seen).not.toMatch(/gone|one$|two$/mu);
    const reviewed = (review: Awaited<ReturnType<Sandbox['review']>>): readonly string[] =>
      review.changes.map(({ kind, path, conflict }) => `${kind} ${path} ${conflict?.reason}`);
    const before = reviewed(await sandbox.review());
    const forks = await sandbox.fork(2);
    const [first, second] = forks as [Sandbox, Sandbox];
    try {
      expect(new Set([sandbox.layer, first.layer, second.layer]).size).toBe(3);
      expect(
        readEvents(join(project.state, 'journal.jsonl')).filter(({ type }) => type === 'staged.fork'),
      ).toMatchObject([{ layer: sandbox.layer, forks: [first.layer, second.layer] }]);
      for (const fork of forks) {
        expect(await printed(fork, look)).toBe(seen);
        expect(reviewed(await fork.review())).toEqual(before);
      }
      await Promise.all([
        printed(first, 'echo first > mine; echo first >> kept'),
        printed(second, 'echo second > mine'),
        printed(sandbox, 'echo origin > mine'),
      ]);
      expect([await printed(first, 'cat mine; cat kept-too'), await printed(second, 'cat mine; cat kept-too')]).toEqual(
        ['first\nkept\nmore\nfirst\n', 'second\nkept\nmore\n'],
      );
      await first.accept();
      expect(readFileSync(join(project.workspace, 'mine'), 'utf8')).toBe('first\n');
      expect(existsSync(join(project.workspace, 'gone'))).toBe(false);
      expect(readdirSync(join(project.workspace, 'old'))).toEqual(['new']);
      // The host now has changes that the others do not know.
      expect(
        (await second.review()).changes.flatMap(({ path, conflict }) =>
          conflict === undefined ? [] : [path.toString()],
        ),
      ).toContain('mine');
      await expect(second.accept()).rejects.toMatchObject({ code: 'HF_STAGED_CONFLICT' });
    } finally {
      for (const fork of forks) await fork.close();
    }
    expect(layers(project)).toContain(second.layer);
  });

  test('is refused if host and layer changed the same file, and leaves nothing', async () => {
    using project = scene();
    await using sandbox = await create(project);
    await printed(sandbox, 'echo staged > kept');
    writeFileSync(join(project.workspace, 'kept'), 'newer\n');
    await expect(sandbox.fork()).rejects.toMatchObject({ code: 'HF_STAGED_CONFLICT', details: { paths: ['kept'] } });
    expect(readdirSync(join(project.state, 'staged'))).toEqual([sandbox.layer]);
    expect(await printed(sandbox, 'cat kept')).toBe('staged\n');
  });

  test('is refused without a layer, for zero forks, and while a command runs', async () => {
    using project = scene();
    await using live = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
    await expect(live.fork()).rejects.toMatchObject({ code: 'HF_USAGE' });
    await using sandbox = await create(project);
    for (const count of [0, 1.5, Number.NaN])
      await expect(sandbox.fork(count)).rejects.toMatchObject({ code: 'HF_USAGE' });
    const command = sandbox.commands.start(['cat']);
    await expect(sandbox.fork()).rejects.toMatchObject({ code: 'HF_STAGED_BUSY' });
    command.stdin.end();
    await command.ended;
    expect(layers(project)).toEqual([sandbox.layer]);
  });
});
