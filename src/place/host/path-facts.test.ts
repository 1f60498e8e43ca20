import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PathFact } from '../../plan/facts.ts';
import { plant, scratchDirectory } from '../testing/scratch.ts';
import { pathFact } from './path-facts.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** The kernel's answers about a path, as a fact. */
function expected(path: string): Partial<PathFact> {
  try {
    const stats = statSync(path, { bigint: true });
    const type = stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other';
    return {
      kind: 'present',
      real: realpathSync.native(path),
      identity: { device: String(stats.dev), inode: String(stats.ino), type },
    };
  } catch {
    return { kind: 'missing' };
  }
}

function linksOf(path: string): readonly string[] {
  const fact = pathFact(path);
  return fact.kind === 'present' ? fact.symlinks : [];
}

describe('pathFact', () => {
  test.each(['/', '/usr', '/etc/passwd', '/dev/null', '/nonexistent', '/etc/passwd/x', '/bin/sh', '/proc/self/fd'])(
    '%s',
    (path) => {
      expect(pathFact(path)).toMatchObject(expected(path));
    },
  );

  test('a plain path has no symlinks and no link text', () => {
    const directory = scratchDirectory();
    plant(directory, { 'a/b': 'x' });
    expect(pathFact(join(directory, 'a/b'))).toEqual({ ...expected(join(directory, 'a/b')), symlinks: [] });
  });

  test('every symlink on the way is named, in the order in which it is passed', () => {
    const directory = scratchDirectory();
    plant(directory, { 'real/deep/file': 'x' });
    symlinkSync('real', join(directory, 'one'));
    symlinkSync('../one/deep', join(directory, 'real/two'));
    const fact = pathFact(join(directory, 'one/two/file'));
    expect(fact).toMatchObject(expected(join(directory, 'real/deep/file')));
    expect(fact).toMatchObject({
      symlinks: [join(directory, 'one'), join(directory, 'real/two'), join(directory, 'one')],
    });
    expect(fact).not.toHaveProperty('linkText');
  });

  test('includes the text of a symlink for the link itself', () => {
    const directory = scratchDirectory();
    plant(directory, { 'target/': '' });
    symlinkSync('./target/', join(directory, 'link'));
    expect(pathFact(join(directory, 'link'))).toMatchObject({
      linkText: './target/',
      real: join(directory, 'target'),
      symlinks: [join(directory, 'link')],
    });
  });

  test('`..` in a link goes up from where the kernel is, not from where the text is', () => {
    const directory = scratchDirectory();
    plant(directory, { 'far/away/': '', 'far/file': 'the right one', 'near/file': 'the wrong one' });
    symlinkSync(join(directory, 'far/away'), join(directory, 'near/jump'));
    symlinkSync('jump/../file', join(directory, 'near/link'));
    expect(pathFact(join(directory, 'near/link'))).toMatchObject({
      ...expected(join(directory, 'far/file')),
      real: join(directory, 'far/file'),
    });
  });

  test.each(['/', '.', '..', './', '../..', '////'])('a link to %j is the directory, not the link', (text) => {
    const directory = scratchDirectory();
    plant(directory, { 'a/': '' });
    symlinkSync(text, join(directory, 'a/link'));
    expect(pathFact(join(directory, 'a/link'))).toMatchObject(expected(join(directory, 'a/link')));
  });

  test('forty links are followed and forty-one are not, as by the kernel', () => {
    const directory = scratchDirectory();
    plant(directory, { l0: 'x' });
    for (let index = 1; index <= 41; index += 1) symlinkSync(`l${index - 1}`, join(directory, `l${index}`));
    expect(linksOf(join(directory, 'l40'))).toHaveLength(40);
    for (const name of ['l40', 'l41'])
      expect(pathFact(join(directory, name))).toMatchObject(expected(join(directory, name)));
  });

  test('loops, dangling links and links to invalid UTF-8 lead nowhere', () => {
    const directory = scratchDirectory();
    symlinkSync('self', join(directory, 'self'));
    symlinkSync('b', join(directory, 'a'));
    symlinkSync('a', join(directory, 'b'));
    symlinkSync('nothing', join(directory, 'dangling'));
    execFileSync('sh', ['-c', 'touch "$(printf "x\\377")" && ln -s "$(printf "x\\377")" bytes'], { cwd: directory });
    for (const name of ['self', 'a', 'self/x', 'dangling', 'dangling/x', 'bytes'])
      expect(pathFact(join(directory, name))).toEqual({ kind: 'missing' });
  });

  test('a FIFO and a device are neither file nor directory', () => {
    const directory = scratchDirectory();
    execFileSync('mkfifo', [join(directory, 'fifo')]);
    expect(pathFact(join(directory, 'fifo'))).toMatchObject({ identity: { type: 'other' } });
    expect(pathFact('/dev/null')).toMatchObject({ identity: { type: 'other' } });
  });

  test('in any tree of directories, files and links it agrees with the kernel', () => {
    const directory = scratchDirectory();
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const part = fc.constantFrom('a', 'b', 'c', 'd', '..', '.', 'a/');
    const relative = fc
      .tuple(fc.array(part, { maxLength: 3 }), fc.constantFrom('a', 'b', '..', '.'))
      .map(([parts, last]) => [...parts, last].join('/'));
    const node = fc.tuple(name, name, fc.constantFrom('directory', 'file', 'link', 'root link'), relative);
    fc.assert(
      fc.property(fc.array(node, { maxLength: 10 }), fc.array(name, { minLength: 1, maxLength: 4 }), (nodes, path) => {
        const root = mkdtempSync(join(directory, 't'));
        for (const [parent, child, kind, text] of nodes) {
          const place = join(root, parent, child);
          mkdirSync(join(root, 'a'), { recursive: true });
          try {
            if (kind === 'directory') mkdirSync(place, { recursive: true });
            else if (kind === 'file') writeFileSync(place, '', { flag: 'wx' });
            else symlinkSync(kind === 'link' ? text : `${root}/${text}`, place);
          } catch {
            // The path exists, or its parent is not a directory. Any other tree will do.
          }
        }
        const asked = join(root, ...path);
        expect(pathFact(asked)).toMatchObject(expected(asked));
        for (const link of linksOf(asked)) expect(lstatSync(link).isSymbolicLink()).toBe(true);
      }),
      { numRuns: rounds(500) },
    );
  });
});
