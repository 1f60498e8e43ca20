import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StagedChange } from '../types.ts';
import { changesOf } from './changes-of.ts';
import { overlayScene, overlayTrouble, type Scene } from './testing/overlay-scene.ts';

const overlay = describe.skipIf(overlayTrouble !== '');

/** Lines of `kind path`, or `renamed from path`, with their problems. */
const words = (changes: readonly StagedChange[]): readonly string[] =>
  changes.map(({ kind, from, path, conflict, refusal }) =>
    [
      kind,
      ...(from === undefined ? [] : [from.toString()]),
      path.toString(),
      ...(conflict === undefined ? [] : [conflict.reason]),
      ...(refusal === undefined ? [] : [refusal.rule]),
    ].join(' '),
  );
const changed = ({ layer }: Scene): readonly string[] => words(changesOf(layer));

function staged(host: string, script: string): Scene {
  const scene = overlayScene(host);
  scene.stage(script);
  return scene;
}

overlay(`what a layer changed${overlayTrouble}`, () => {
  test.each([
    ['nothing', 'echo a > a', 'cat a', []],
    ['a new file', '', 'echo a > a', ['added a']],
    ['appended text', 'echo a > a', 'echo b >> a', ['modified a']],
    ['other text of the same size', 'echo a > a', 'echo b > a; touch -r / a', ['modified a']],
    ['a file written again by rename', 'echo a > a', 'echo b > t; mv t a', ['modified a']],
    [
      'a copied file that is as it was',
      'echo a > a',
      'touch -r a /dev/shm/$$; echo x >> a; echo a > a; touch -r /dev/shm/$$ a; rm /dev/shm/$$',
      [],
    ],
    ['a touched file', 'echo a > a', 'touch -d @5 a', ['metadata a']],
    ['a nanosecond', 'touch -d @5.000000001 a', 'touch -d @5.000000002 a', ['metadata a']],
    ['a mode', 'echo a > a', 'chmod +x a', ['metadata a']],
    ['a mode of a directory', 'mkdir -m 755 d', 'chmod 700 d', ['metadata d']],
    ['times of a directory', 'mkdir d', 'touch -d @5 d', []],
    ['a change in a directory', 'mkdir d; echo a > d/a', 'echo b > d/a', ['modified d/a']],
    ['a deleted file', 'echo a > a', 'rm a', ['deleted a']],
    ['a deleted tree', 'mkdir -p d/e; echo a > d/e/a', 'rm -r d', ['deleted d', 'deleted d/e', 'deleted d/e/a']],
    ['a file made and deleted', 'mkdir d', 'echo a > d/a; rm d/a', []],
    [
      'a replaced directory',
      'mkdir d; touch d/a d/b d/c; echo c > d/c',
      'rm -r d; mkdir d; touch -r /etc d/b; echo c2 > d/c',
      ['metadata d/b', 'modified d/c', 'deleted d/a'],
    ],
    ['a file that became a directory', 'echo a > a', 'rm a; mkdir a; echo b > a/b', ['type-changed a', 'added a/b']],
    [
      'a directory that became a file',
      'mkdir -p a/b; echo c > a/b/c',
      'rm -r a; echo a > a',
      ['type-changed a', 'deleted a/b', 'deleted a/b/c'],
    ],
    [
      'a directory that became a link',
      'mkdir a; echo b > a/b',
      'rm -r a; ln -s /etc a',
      ['type-changed a', 'deleted a/b'],
    ],
    ['a link', 'ln -s x a', 'ln -sfn y a; ln -s z b', ['modified a', 'added b']],
    ['a renamed file', 'echo a > a', 'mv a b', ['renamed a b']],
    ['a renamed link', 'ln -s x a', 'mv a b', ['renamed a b']],
    ['a renamed and changed file', 'echo a > a', 'mv a b; echo b >> b', ['deleted a', 'added b']],
    [
      'a renamed directory',
      'mkdir d; echo 1 > d/x; echo 1 > d/y',
      'mv d e',
      ['deleted d', 'added e', 'renamed d/x e/x', 'renamed d/y e/y'],
    ],
    ['swapped files', 'echo a > a; echo b > b', 'mv a t; mv b a; mv t b', ['modified a', 'modified b']],
    ['empty files, which are all alike', 'touch a', 'rm a; touch b', ['deleted a', 'added b']],
    ['a new hard link', 'echo a > a', 'ln a b', ['metadata a', 'added b']],
    ['new files that are one', '', 'echo a > a; ln a b', ['added a', 'added b']],
    ['one of two names', 'echo a > a; ln a b', 'echo b >> a', ['modified a']],
    ['two names for what had two', 'echo a > a; echo a > b; touch -r a b', 'ln -f a b', ['metadata a', 'metadata b']],
    [
      'a FIFO and a socket',
      '',
      'mkfifo f; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'s\')"',
      ['added f', 'added s'],
    ],
    ['a FIFO instead of a file', 'echo a > a', 'rm a; mkfifo a', ['type-changed a']],
    ['another size of a sparse file', 'truncate -s 1M a', 'truncate -s 1G a', ['modified a']],
    ['a name with a newline', 'printf x > "a\nb"', 'printf y > "a\nb"; touch "c\n"', ['modified a\nb', 'added c\n']],
    [
      'what is in .git',
      'git init -q .; touch a',
      'git -c user.name=x -c user.email=x add a',
      ['added .git/index', 'added .git/objects/e6', 'added .git/objects/e6/9de29bb2d1d6434b8b29ae775ad8c2e48c5391'],
    ],
  ])('%s', (...[, host, script, expected]) => {
    expect(changed(staged(host, script)).toSorted()).toEqual([...expected].toSorted());
  });

  test('attributes that a box set, but none of the overlay', () => {
    const set = (name: string, path: string) => `python3 -c 'import os; os.setxattr("${path}", "${name}", b"1")'`;
    const scene = overlayScene(`touch a b c; ${set('user.old', 'b')}`);
    scene.stage(
      `${set('user.new', 'a')}; python3 -c 'import os; os.removexattr("b", "user.old")'; chmod 600 c; chmod 644 c`,
    );
    expect(changed(scene)).toEqual(['metadata a', 'metadata b']);
  });

  test('names that are no UTF-8 keep their bytes', () => {
    const scene = staged('', String.raw`touch "$(printf 'a\377b')"`);
    expect(changesOf(scene.layer).map(({ path }) => path)).toEqual([Buffer.from([0x61, 0xff, 0x62])]);
  });

  test('facts of both sides', () => {
    const scene = staged(
      'echo a > a; chmod 644 a; ln -s old l',
      'echo abc > a; touch -d @7.000000009 a; chmod 755 a; ln -sfn new l',
    );
    const [a, l] = changesOf(scene.layer);
    expect(a).toMatchObject({
      before: { type: 'file', mode: 0o644, size: 2, links: 1 },
      after: { type: 'file', mode: 0o755, size: 4, modified: 7_000_000_009n },
    });
    expect(l).toMatchObject({
      before: { type: 'symlink', target: Buffer.from('old') },
      after: { target: Buffer.from('new') },
    });
  });

  test('several runs in one layer add up', () => {
    const scene = staged('echo a > a; echo b > b', 'echo 1 >> a; echo n > n');
    scene.stage('rm b n; echo 2 >> a');
    expect(changed(scene)).toEqual(['modified a', 'deleted b']);
  });

  test('a path that no program could name is refused and not entered', () => {
    const scene = staged(
      '',
      "python3 -c \"import os\nfor _ in range(40):\n  os.mkdir('d' * 200)\n  os.chdir('d' * 200)\nopen('x', 'w')\"",
    );
    const changes = changesOf(scene.layer);
    expect(changes.at(-1)).toMatchObject({ kind: 'added', refusal: { rule: 'path-too-long' } });
    expect(changes.length).toBeLessThan(22);
    scene.stage('python3 -c \'import shutil; shutil.rmtree("d" * 200)\'');
  });
});

overlay(`what changed on the host meanwhile${overlayTrouble}`, () => {
  const after = (scene: Scene, script: string): readonly string[] => {
    execFileSync('sh', ['-ec', script], { cwd: scene.host });
    return changed(scene);
  };

  test.each([
    ['the same file', 'echo a > a', 'echo b >> a', 'echo c >> a', ['modified a changed-on-host']],
    [
      'the same file, with the same size and time',
      'echo a > a',
      'echo b > a',
      'cp -p a /dev/shm/$$; echo c > a; touch -r /dev/shm/$$ a; rm /dev/shm/$$',
      ['modified a changed-on-host'],
    ],
    ['the same file, in the same way', 'echo a > a', 'echo b > a; touch -d @5 a', 'echo b > a; touch -d @5 a', []],
    ['the same text at another time', 'echo a > a', 'echo b > a; touch -d @5 a', 'echo b > a', ['metadata a']],
    ['another file', 'echo a > a; echo b > b', 'echo b >> a', 'echo c >> b', ['modified a']],
    ['a mode that both set', 'echo a > a; chmod 644 a', 'chmod 600 a', 'chmod 755 a', ['metadata a changed-on-host']],
    ['a deleted file', 'echo a > a', 'rm a', 'echo b > a', ['deleted a changed-on-host']],
    ['a file deleted on both sides', 'echo a > a', 'rm a', 'rm a', []],
    [
      'something in a deleted directory',
      'mkdir d; echo a > d/a; echo b > d/b',
      'rm -r d',
      'echo b >> d/b',
      ['deleted d', 'deleted d/a', 'deleted d/b changed-on-host'],
    ],
    [
      'something new in a deleted directory',
      'mkdir d',
      'rm -r d',
      'echo b > d/b',
      ['deleted d changed-on-host', 'deleted d/b changed-on-host'].map((line) =>
        line.replace('d/b changed', 'd/b appeared'),
      ),
    ],
    ['a new file of the same name', '', 'echo a > a', 'echo b > a', ['modified a appeared-on-host']],
    ['a new file of the same name and content', '', 'echo a > a; touch -d @5 a', 'echo a > a; touch -d @5 a', []],
    ['a new file where the layer has a directory', '', 'mkdir a', 'echo b > a', ['type-changed a appeared-on-host']],
    [
      'a new directory where the layer has one too',
      '',
      'mkdir -m 755 d; echo a > d/a',
      'mkdir -m 755 d; echo b > d/b',
      ['added d/a'],
    ],
    ['a removed file', 'echo a > a', 'echo b >> a', 'rm a', ['added a gone-from-host']],
    [
      'a removed directory',
      'mkdir d; echo a > d/a',
      'echo n > d/n',
      'rm -r d',
      ['added d gone-from-host', 'added d/n gone-from-host'],
    ],
    ['a removed directory of which the layer had only deleted', 'mkdir d; touch d/a d/b', 'rm d/a', 'rm -r d', []],
    ['the source of a rename', 'echo a > a', 'mv a b', 'echo c >> a', ['deleted a changed-on-host', 'added b']],
    ['the target of a rename', 'echo a > a', 'mv a b', 'echo c > b', ['deleted a', 'modified b changed-on-host']],
  ])('%s', (...[, host, script, meanwhile, expected]) => {
    expect(after(staged(host, script), meanwhile).toSorted()).toEqual([...expected].toSorted());
  });

  test('before the layer took it over is no conflict', () => {
    const scene = staged('echo a > a; echo b > b', 'echo n > n');
    execFileSync('sh', ['-ec', 'echo 2 >> a; rm b; sleep 0.02'], { cwd: scene.host });
    scene.stage('echo 3 >> a');
    expect(changed(scene)).toEqual(['modified a', 'added n']);
  });
});

overlay(`what accepting would be refused${overlayTrouble}`, () => {
  test('is asked for each name and what happens to it', () => {
    const { layer, host } = staged(
      'echo m > m; echo d > d; echo r > r; mkdir t',
      'echo 2 >> m; rm d; mv r s; rmdir t; echo t > t; touch n',
    );
    const asked: string[] = [];
    changesOf(layer, {
      judge: ({ path, operation, staged: through }) =>
        void asked.push(
          `${operation} ${path.slice(host.length + 1)} ${through?.((entry) => readFileSync(entry, 'utf8').trim()) ?? '-'}`,
        ),
    });
    expect(asked.toSorted()).toEqual([
      'create n ',
      'create s r',
      'create t t',
      'delete d -',
      'delete r -',
      'delete t -',
      'write m m\n2',
    ]);
  });

  test('is marked with the rule', () => {
    const { layer } = staged('', 'mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo y > y');
    const changes = changesOf(layer, {
      judge: ({ path }) => (path.includes('/hooks/') ? { rule: 'protected', reason: 'git runs it' } : undefined),
    });
    expect(words(changes)).toEqual([
      'added .git',
      'added .git/hooks',
      'added .git/hooks/pre-commit protected',
      'added y',
    ]);
  });
});

overlay(`a hostile or broken layer${overlayTrouble}`, () => {
  test('without its upper directory names the remedy', () => {
    const scene = staged('', 'touch a');
    rmSync(scene.layer.roots[0]?.upper ?? '', { recursive: true });
    expect(() => changesOf(scene.layer)).toThrow(
      expect.objectContaining({ code: 'HF_STAGED_INVALID', remedy: expect.stringContaining('holdfast discard') }),
    );
  });

  test('whose upper directory is a link is not followed', () => {
    const scene = staged('', 'touch a');
    const upper = scene.layer.roots[0]?.upper ?? '';
    renameSync(upper, `${upper}.old`);
    execFileSync('ln', ['-s', '/etc', upper]);
    expect(() => changesOf(scene.layer)).toThrow(expect.objectContaining({ code: 'HF_STAGED_INVALID' }));
  });

  test('a whiteout with an attribute instead of a device counts too', () => {
    const scene = staged('echo a > a; echo b > b', 'echo c > c');
    const upper = scene.layer.roots[0]?.upper ?? '';
    writeFileSync(join(upper, 'a'), '');
    spawnSync('python3', [
      '-c',
      'import os, sys; os.setxattr(sys.argv[1], "user.overlay.whiteout", b"")',
      join(upper, 'a'),
    ]);
    expect(changed(scene)).toEqual(['deleted a', 'added c']);
  });
});

// Makes the files in memory, without an overlay: some disks take minutes to create so many.
test('100,000 files', { timeout: 60_000 }, () => {
  const directory = mkdtempSync('/dev/shm/holdfast-changes-');
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [root, upper, work]) mkdirSync(path);
  for (let index = 0; index < 100; index++) {
    mkdirSync(join(upper, String(index)));
    for (let file = 0; file < 1000; file++) writeFileSync(join(upper, `${index}/${file}`), '');
  }
  const changes = changesOf({ id: 'test', directory, workspace: root, created: 0, roots: [{ root, upper, work }] });
  expect(changes).toHaveLength(100_100);
  expect(changes.every(({ kind }) => kind === 'added')).toBe(true);
});

describe.skipIf(overlayTrouble !== '' || process.getuid?.() === 0)(
  `what this user may not read${process.getuid?.() === 0 ? ' (NOT TRIED: root reads everything)' : overlayTrouble}`,
  () => {
    test('is refused, and the rest is shown', () => {
      const scene = staged(
        'mkdir h; echo a > h/a; echo k > k',
        'mkdir d; echo a > d/a; chmod 000 d; echo s > s; chmod 000 s; echo k > k2; echo k >> k; rm -r h',
      );
      execFileSync('chmod', ['000', 'h'], { cwd: scene.host });
      expect(changed(scene)).toEqual([
        'added d unreadable',
        'deleted h changed-on-host unreadable',
        'modified k',
        'added k2',
        'added s',
      ]);
    });
  },
);
