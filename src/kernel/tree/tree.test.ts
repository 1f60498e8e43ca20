import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  applyMetadata,
  atFdcwd,
  attributesOf,
  copyTree,
  inParent,
  kernelCall,
  metadataOf,
  openAt,
  removeTree,
  setAttribute,
  treeFacts,
  type TreeFacts,
} from '../index.ts';
import { snapshot } from '../testing/snapshot.ts';

const root = process.getuid?.() === 0;

function scratch(): string {
  const directory = realpathSync(mkdtempSync('/var/tmp/holdfast-tree-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function shell(cwd: string, script: string): void {
  execFileSync('bash', ['-ec', script], { cwd });
}

function facts(path: string): TreeFacts {
  return inParent(Buffer.from(path), (directory, name) => treeFacts({ directory, name }));
}

/** One entry of each type. */
function plant(top: string): void {
  mkdirSync(join(top, 'directory/empty'), { recursive: true });
  writeFileSync(join(top, 'file'), 'text');
  writeFileSync(Buffer.from(`${top}/\xff\nname`, 'latin1'), 'odd name');
  linkSync(join(top, 'file'), join(top, 'directory/linked'));
  linkSync(join(top, 'file'), join(top, 'directory/empty-not'));
  symlinkSync('/nowhere', join(top, 'link'));
  setAttribute(join(top, 'file'), 'user.note', Buffer.from([0, 1, 255]));
  kernelCall('mknodat', atFdcwd, join(top, 'pipe'), 0o010640, 0);
  chmodSync(join(top, 'file'), 0o4751);
  lutimesSync(join(top, 'link'), 1, -5.5);
  lutimesSync(join(top, 'file'), 3, 1_700_000_000.123456);
  chmodSync(join(top, 'directory/empty'), 0o500);
  lutimesSync(join(top, 'directory'), 1, 1);
}

describe('copyTree', () => {
  test('copies content, links, names, modes, times to the nanosecond and attributes', () => {
    const top = scratch();
    mkdirSync(join(top, 'from'));
    plant(join(top, 'from'));
    copyTree(Buffer.from(join(top, 'from')), Buffer.from(join(top, 'to')));
    expect(snapshot(join(top, 'to'))).toEqual(snapshot(join(top, 'from')));
    expect(statSync(join(top, 'to/file')).ino).toBe(statSync(join(top, 'to/directory/linked')).ino);
    expect(statSync(join(top, 'to/file')).ino).not.toBe(statSync(join(top, 'from/file')).ino);
  });

  test.runIf(root)('copies owners (needs root)', () => {
    const top = scratch();
    writeFileSync(join(top, 'file'), '');
    chownSync(join(top, 'file'), 1234, 4321);
    chmodSync(join(top, 'file'), 0o6711);
    copyTree(Buffer.from(join(top, 'file')), Buffer.from(join(top, 'copy')));
    expect(statSync(join(top, 'copy'))).toMatchObject({ uid: 1234, gid: 4321, mode: 0o106711 });
  });

  test('leaves holes holes', () => {
    const top = scratch();
    const file = openSync(join(top, 'sparse'), 'w');
    writeSync(file, 'start');
    writeSync(file, 'end', 50_000_000);
    ftruncateSync(file, 100_000_000);
    closeSync(file);
    copyTree(Buffer.from(join(top, 'sparse')), Buffer.from(join(top, 'copy')));
    expect(statSync(join(top, 'copy')).size).toBe(100_000_000);
    expect(statSync(join(top, 'copy')).blocks).toBeLessThan(1000);
    expect(readFileSync(join(top, 'copy')).equals(readFileSync(join(top, 'sparse')))).toBe(true);
  });

  test('does not overwrite', () => {
    const top = scratch();
    writeFileSync(join(top, 'a'), 'a');
    writeFileSync(join(top, 'b'), 'b');
    expect(() => copyTree(Buffer.from(join(top, 'a')), Buffer.from(join(top, 'b')))).toThrow(/EEXIST/u);
    expect(readFileSync(join(top, 'b'), 'utf8')).toBe('b');
  });

  test('links the files of many directories, long after those were closed', () => {
    const top = scratch();
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(join(top, 'from', name), { recursive: true });
      writeFileSync(join(top, 'from', name, 'own'), name);
    }
    for (const name of ['a', 'b']) linkSync(join(top, 'from', name, 'own'), join(top, 'from/c', `of-${name}`));
    copyTree(Buffer.from(join(top, 'from')), Buffer.from(join(top, 'to')));
    expect(snapshot(join(top, 'to'))).toEqual(snapshot(join(top, 'from')));
  });
});

describe('applyMetadata', () => {
  test('does not follow a symlink', () => {
    const top = scratch();
    writeFileSync(join(top, 'file'), '');
    chmodSync(join(top, 'file'), 0o600);
    symlinkSync('file', join(top, 'link'));
    const before = snapshot(join(top, 'file'));
    applyMetadata(Buffer.from(join(top, 'link')), {
      mode: 0o777,
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
      modified: 42n,
      attributes: new Map(),
    });
    expect(snapshot(join(top, 'file'))).toEqual(before);
    expect(lstatSync(join(top, 'link'), { bigint: true }).mtimeNs).toBe(42n);
  });

  test('takes away attributes that should not be there, and leaves a time alone that is not named', () => {
    const top = scratch();
    const file = Buffer.from(join(top, 'file'));
    writeFileSync(file, '');
    setAttribute(file, 'user.extra', Buffer.from('x'));
    const stats = lstatSync(file, { bigint: true });
    const { accessed: _, ...wanted } = {
      ...metadataOf(file, stats),
      modified: -1n,
      attributes: new Map([['user.new', Buffer.from('y')]]),
    };
    applyMetadata(file, wanted);
    expect(attributesOf(file)).toEqual(new Map([['user.new', Buffer.from('y')]]));
    expect(lstatSync(file, { bigint: true })).toMatchObject({ mtimeNs: -1n, atimeNs: stats.atimeNs });
  });
});

describe('removeTree', () => {
  test('removes what forbids it to its owner, and nothing that a link leads to', () => {
    const top = scratch();
    mkdirSync(join(top, 'tree/closed'), { recursive: true });
    writeFileSync(join(top, 'tree/closed/file'), '');
    writeFileSync(join(top, 'kept'), '');
    symlinkSync(top, join(top, 'tree/out'));
    chmodSync(join(top, 'tree/closed'), 0o000);
    removeTree(join(top, 'tree'));
    expect(readdirSync(top)).toEqual(['kept']);
  });

  test('removes strange names, FIFOs, and directories without permissions in each other', () => {
    const top = scratch();
    shell(
      top,
      `mkdir -p tree/b/c; echo x > tree/b/c/f; ln tree/b/c/f tree/hard; mkfifo tree/pipe; touch "tree/$(printf 'n\\nl \\377')" tree/.deep-0; chmod 0 tree/b/c tree/b tree`,
    );
    removeTree(join(top, 'tree'));
    expect(readdirSync(top)).toEqual([]);
  });

  test('follows links on the way to it, not the one that it is', () => {
    const top = scratch();
    shell(top, 'mkdir -p real/tree/a other/a; ln -s real way; ln -s ../other real/link');
    removeTree(join(top, 'way/tree'));
    removeTree(join(top, 'way/link'));
    expect([readdirSync(join(top, 'real')), readdirSync(join(top, 'other'))]).toEqual([[], ['a']]);
  });

  test.each([
    ['than a path can name', 60, 200],
    ['than there are descriptors', 3000, 1],
  ])('removes a tree that is deeper %s, and what is beside it at each level', (_, levels, length) => {
    const top = scratch();
    const script = `import os; os.mkdir('tree'); os.chdir('tree'); open('.deep-0', 'w')
for _ in range(${levels}): os.mkdir('n' * ${length}); os.mkdir('x'); open('f', 'w'); os.chdir('n' * ${length})
os.chmod('.', 0)`;
    execFileSync('python3', ['-c', script], { cwd: top });
    removeTree(join(top, 'tree'));
    expect(readdirSync(top)).toEqual([]);
  });

  test('names what is not there', () => {
    expect(() => removeTree(join(scratch(), 'gone'))).toThrow(/ENOENT/u);
  });
});

describe('treeFacts', () => {
  test('counts hard links once and holes not at all', () => {
    const top = scratch();
    mkdirSync(join(top, 'tree'));
    writeFileSync(join(top, 'tree/a'), Buffer.alloc(100_000, 'x'));
    linkSync(join(top, 'tree/a'), join(top, 'tree/b'));
    const file = openSync(join(top, 'tree/sparse'), 'w');
    ftruncateSync(file, 1e12);
    closeSync(file);
    expect(facts(join(top, 'tree'))).toEqual({ bytes: 100_000 + statSync(join(top, 'tree')).size, files: 'own' });
  });
});

describe('treeFacts of a file with a name elsewhere', () => {
  test('say that its content is not its own', () => {
    const top = scratch();
    mkdirSync(join(top, 'tree'));
    writeFileSync(join(top, 'tree/a'), 'a');
    linkSync(join(top, 'tree/a'), join(top, 'outside'));
    expect(facts(join(top, 'tree')).files).toBe('shared');
    expect(facts(join(top, 'outside')).files).toBe('shared');
  });
});

describe.runIf(root)('a mount in a tree (needs root)', () => {
  test('is neither measured nor emptied', () => {
    const top = scratch();
    mkdirSync(join(top, 'outside'));
    mkdirSync(join(top, 'tree/mounted'), { recursive: true });
    writeFileSync(join(top, 'outside/file'), '');
    execFileSync('mount', ['--bind', join(top, 'outside'), join(top, 'tree/mounted')]);
    onTestFinished(() => void execFileSync('umount', [join(top, 'tree/mounted')]));
    expect(() => facts(join(top, 'tree'))).toThrow(/EXDEV/u);
    expect(() => removeTree(join(top, 'tree'))).toThrow(/EXDEV/u);
    expect(readdirSync(join(top, 'outside'))).toEqual(['file']);
  });
});

describe('inParent', () => {
  test('refuses a symlink on the way, but not at the end', () => {
    const top = scratch();
    mkdirSync(join(top, 'real'));
    symlinkSync('real', join(top, 'way'));
    expect(() => inParent(Buffer.from(join(top, 'way/name')), () => 0)).toThrow(
      expect.objectContaining({ code: 'ELOOP' }),
    );
    expect(inParent(Buffer.from(join(top, 'way')), (_, name) => name.toString())).toBe('way');
    expect(inParent(Buffer.from('/etc'), (directory) => openAt(directory, 'etc', { flags: 0 }))).toBeGreaterThan(2);
  });

  test('stays in the directory when it is moved away meanwhile', () => {
    const top = scratch();
    mkdirSync(join(top, 'a'));
    inParent(Buffer.from(join(top, 'a/file')), (directory) => {
      renameSync(join(top, 'a'), join(top, 'b'));
      symlinkSync('/etc', join(top, 'a'));
      closeSync(openAt(directory, 'file', { flags: 0o102, mode: 0o600 }));
    });
    expect(readdirSync(join(top, 'b'))).toEqual(['file']);
  });
});
