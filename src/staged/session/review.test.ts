import { execFileSync } from 'node:child_process';
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overlayScene, overlayTrouble } from '../changes/testing/overlay-scene.ts';
import { reviewJson } from './review-json.ts';
import { reviewOfLayer, type Review } from './review-layer.ts';
import { reviewLines, type Detail } from './review-lines.ts';

const environment = { XDG_CONFIG_HOME: '/nowhere', XDG_STATE_HOME: '/nowhere' };

function staged(host: string, script: string, meanwhile = 'true'): Review {
  const scene = overlayScene(host);
  scene.stage(script);
  execFileSync('sh', ['-ec', meanwhile], { cwd: scene.host });
  return reviewOfLayer(scene.layer, { environment });
}

/** Without the summary. */
const shown = (review: Review, detail: Detail = 'patch'): string =>
  [...reviewLines(review, detail)]
    .slice(1)
    .map(({ text }) => text)
    .join('\n')
    .trim();

const git = 'git -c user.name=x -c user.email=x -c init.defaultBranch=main';

describe.skipIf(overlayTrouble !== '')(`a review of a layer${overlayTrouble}`, () => {
  test.each([
    [
      'a changed text',
      'seq 5 > a',
      'sed -i s/3/x/ a; chmod 755 a',
      'modified a\nold mode 0644\nnew mode 0755\n--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5',
    ],
    ['a new text', '', 'echo a > a', 'added a\nnew file mode 0644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+a'],
    [
      'a deleted text',
      'echo a > a',
      'rm a',
      'deleted a\ndeleted file mode 0644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-a',
    ],
    ['a binary file', 'printf "\\0" > a', 'printf "\\0b" > a', 'modified a\nbinary file, 1 -> 2 bytes'],
    ['a large file', '', 'yes | head -c 2000000 > a', 'added a\nnew file mode 0644\ntoo large to show, 2000000 bytes'],
    [
      'a sparse file of a terabyte',
      '',
      'truncate -s 1T a',
      'added a\nnew file mode 0644\nbinary file, 1099511627776 bytes',
    ],
    ['a setuid program', 'echo a > a; chmod 755 a', 'chmod 4755 a', 'metadata a\nold mode 0755\nnew mode 4755'],
    [
      'times',
      'touch -d @5 a',
      'touch -d @6.5 a',
      'metadata a\nmodified 1970-01-01T00:00:05.000000000Z -> 1970-01-01T00:00:06.500000000Z',
    ],
    ['a rename', 'echo a > a', 'mv a b', 'renamed a -> b'],
    ['a link that leads elsewhere', 'ln -s x a', 'ln -sfn /etc a', 'modified symlink a\nled to x\nleads to /etc'],
    ['a file that became a link', 'echo a > a', 'ln -sf /etc/passwd a', 'type-changed symlink a\nold mode'],
    [
      'hard links',
      'echo a > a',
      'ln a b',
      'metadata a\n2 names\n\nadded b\nnew file mode 0644\n2 names\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+a',
    ],
    ['a FIFO', '', 'mkfifo a', 'added fifo a\nnew fifo mode 0644'],
    [
      'bytes of another encoding',
      String.raw`printf 'na\357ve\n' > a`,
      String.raw`printf '\317\360\n' > a`,
      'modified a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-na\\xefve\n+\\xcf\\xf0',
    ],
  ])('%s', (...[name, host, script, expected]) => {
    const text = shown(staged(`umask 022; ${host}`, `umask 022; ${script}`));
    if (name === 'a file that became a link')
      expect(text).toMatch(/^type-changed symlink a\nwas a file, is a symlink\n(?:.*\n)*leads to \/etc\/passwd/u);
    else expect(text).toBe(expected);
  });

  // Attack: names, contents and link targets that repaint a reviewer's terminal.
  test('obeys no escape of its content', () => {
    const escape = String.raw`$(printf '\033]0;x\007\033[2J\302\233A\342\200\256')`;
    const review = staged(
      '',
      `echo "${escape}" > a; touch "${escape}"; ln -s "${escape}" b; mkdir -p .git/refs/heads; echo "${escape}" > ".git/refs/heads/${escape}"`,
    );
    for (const detail of ['patch', 'stat', 'names'] as const)
      expect([...reviewLines(review, detail)].map(({ text }) => text).join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    for (const patches of ['with-patches', 'facts-only'] as const) {
      const json = [...reviewJson(review, patches)].join('');
      expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(
        (JSON.parse(json) as { changes: { path: string }[] }).changes.some(
          ({ path }) => path === '\u001B]0;x\u0007\u001B[2J\u009BA\u202E',
        ),
      ).toBe(true);
    }
  });

  test('marks conflicts and refusals, and counts them', () => {
    const review = staged('echo a > a', 'echo b >> a; mkdir .vscode', 'echo c >> a');
    expect(review.counts).toMatchObject({ added: 1, modified: 1, conflicts: 1, refused: 1 });
    expect([...reviewLines(review, 'stat')].map(({ text }) => text)).toEqual([
      expect.stringMatching(/: 2 changes in .*: 1 added, 1 modified, 1 in conflict with the host, 1 refused$/u),
      'A .vscode/ (refused)',
      'M a | +1 -1 (changed-on-host)',
    ]);
    const lines = [...reviewLines(review, 'patch')].filter(({ kind }) => kind === 'warning').map(({ text }) => text);
    expect(lines).toEqual([
      expect.stringMatching(/^refused: .*\.vscode/u),
      expect.stringMatching(/^conflict: it was changed on the host/u),
    ]);
  });

  test('sums up what git wrote', () => {
    const review = staged(
      `${git} init -q .; echo a > a; ${git} add .; ${git} commit -qm a`,
      `echo b > a; ${git} commit -qam b; ${git} branch x; rm -rf .git/logs`,
    );
    const text = shown(review);
    expect(text).toMatch(
      /\ngit \/var\/tmp\/[^\n]*\/host\/\.git\n3 objects added\nrefs\/heads\/main [0-9a-f]{12}\.\.[0-9a-f]{12}\nrefs\/heads\/x none\.\.[0-9a-f]{12}\n/u,
    );
    expect(text).toContain('modified index');
    expect(text).not.toContain('objects/');
  });

  test("hides nothing in .git that is not git's own business", () => {
    const text = shown(staged(`${git} init -q .`, 'echo x > .git/hooks/pre-commit; git config core.pager x'));
    expect(text).toMatch(/added \.git\/hooks\/pre-commit\nrefused/u);
    expect(text).toMatch(/modified \.git\/config\nrefused[^\n]*\n--- a\/\.git\/config/u);
  });

  test('gives programs names that are no UTF-8 beside their bytes, times to the nanosecond, and diffs on request', () => {
    const review = staged('', String.raw`f="$(printf 'a\377')"; echo x > "$f"; touch -d @5.000000001 "$f"`);
    const [change] = (JSON.parse([...reviewJson(review, 'with-patches')].join('')) as { changes: unknown[] }).changes;
    expect(change).toMatchObject({
      kind: 'added',
      path: 'a\uFFFD',
      pathBytes: Buffer.from([0x61, 0xff]).toString('base64'),
      after: { type: 'file', modified: '5000000001', size: 2 },
      patch: '@@ -0,0 +1 @@\n+x\n',
    });
  });

  test('of some paths shows only those, and says when there are none', () => {
    const scene = overlayScene('echo m > m');
    scene.stage('mkdir d dd; touch d/a dd/a; mv m d/n');
    const of = (...names: readonly string[]) =>
      reviewOfLayer(scene.layer, {
        environment,
        paths: names.map((name) => Buffer.from(join(scene.host, name))),
      }).changes.map(({ path }) => path.toString());
    expect(of('d')).toEqual(['d', 'd/a', 'd/n']);
    expect(of('m')).toEqual(['d/n']);
    expect(() => of('d', 'x')).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });

  // Attack: the box replaces a directory of the layer with a link to the host during the review.
  test('is not led out of the layer', () => {
    const scene = overlayScene('');
    scene.stage('mkdir d; echo inside > d/passwd');
    const review = reviewOfLayer(scene.layer, { environment });
    const directory = join(scene.layer.roots[0]?.upper ?? '', 'd');
    unlinkSync(join(directory, 'passwd'));
    execFileSync('rmdir', [directory]);
    symlinkSync('/etc', directory);
    expect(shown(review)).toContain('its content cannot be read');
    expect(shown(review)).not.toContain('root:');
  });
});
