import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changesOf } from '../changes/changes-of.ts';
import { overlayScene, overlayTrouble } from '../changes/testing/overlay-scene.ts';
import { judgeOfLayer } from './protected-names.ts';

/** Returns the staged names that a user's policy refuses. Default: an empty policy. */
function refused(host: string, script: string, policy = ''): readonly string[] {
  const scene = overlayScene(host);
  scene.stage(`export HOME=/nowhere\n${script}`);
  const home = mkdtempSync('/var/tmp/holdfast-home-');
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'holdfast'));
  if (policy !== '') execFileSync('sh', ['-c', `cat > ${home}/holdfast/policy.toml`], { input: policy });
  const judge = judgeOfLayer(scene.layer, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: join(home, 'state') });
  return changesOf(scene.layer, { judge }).flatMap(({ path, refusal }) =>
    refusal === undefined ? [] : [path.toString()],
  );
}

const git = 'git -c user.name=x -c user.email=x -c init.defaultBranch=main';

describe.skipIf(overlayTrouble !== '')(`what of a layer may not be accepted${overlayTrouble}`, () => {
  test.each([
    ['plain work', 'echo a > a', 'echo b >> a; mkdir d; touch d/x; rm a'],
    ['a new repository', '', `${git} init -q . ; touch a; ${git} add .; ${git} commit -qm a`],
    [
      'git at work',
      `${git} init -q .; touch a; ${git} add .; ${git} commit -qm a`,
      `echo b > b; ${git} add .; ${git} commit -qm b; ${git} branch x; ${git} gc -q; git config user.email me@example.com; git remote add o https://example.com/a.git`,
    ],
    ['a touched configuration of git', `${git} init -q .`, 'touch .git/config'],
  ])('nothing of %s', (_name, host, script) => {
    expect(refused(host, script)).toEqual([]);
  });

  test.each([
    ['a repository without work tree', '', `${git} init -q --bare docs`],
    [
      'a linked worktree',
      `${git} init -q .`,
      'mkdir -p side .git/worktrees/side; echo ../.. > .git/worktrees/side/commondir; echo "gitdir: ../.git/worktrees/side" > side/.git',
    ],
    ['hooks of another kind', '', 'mkdir -p src/hooks; touch src/hooks/use.ts src/config'],
  ])('nothing of %s', (_name, host, script) => {
    expect(refused(host, script)).toEqual([]);
  });

  const evil = 'config -f docs/config core.fsmonitor /tmp/x';
  test.each([
    [
      'a bare repository',
      '',
      `${git} init -q --bare docs; ${git} ${evil}`,
      ['docs/HEAD', 'docs/config', 'docs/objects', 'docs/refs'],
    ],
    [
      'the rest of one',
      `mkdir docs; ${git} ${evil}`,
      `${git} init -q --bare x; mv x/HEAD x/objects x/refs docs`,
      ['docs/HEAD', 'docs/objects', 'docs/refs'],
    ],
    ['a hook of one', `${git} init -q --bare docs`, 'echo x > docs/hooks/post-receive', ['docs/hooks/post-receive']],
    ['another repository for one', `${git} init -q --bare docs`, 'echo ../x > docs/commondir', ['docs/commondir']],
    [
      'a pointer to one',
      '',
      `${git} init -q --bare real; mkdir docs; echo "gitdir: ../real" > docs/.git`,
      ['docs/.git'],
    ],
    ['a link to one', '', `${git} init -q --bare real; mkdir docs; ln -s ../real docs/.GIT`, ['docs/.GIT']],
    [
      'a pointer through a link',
      `${git} init -q .`,
      `mkdir docs .git/worktrees aside; echo x > aside/commondir; ln -s ../../aside .git/worktrees/docs; echo "gitdir: ../.git/worktrees/docs" > docs/.git`,
      ['docs/.git'],
    ],
  ])('%s, which no name protects', (...[, host, script, expected]) => {
    expect(refused(host, script)).toEqual(expected);
  });

  test.each([
    ['a hook', `${git} init -q .`, 'echo x > .git/hooks/pre-commit', ['.git/hooks/pre-commit']],
    [
      'a hook of a new repository',
      '',
      `${git} init -q .; echo x > .git/hooks/post-checkout`,
      ['.git/hooks', '.git/hooks/post-checkout'],
    ],
    [
      'a link that looks like a sample',
      `${git} init -q .`,
      'ln -s /bin/sh .git/hooks/x.sample',
      ['.git/hooks/x.sample'],
    ],
    ['a program in the configuration', `${git} init -q .`, 'git config core.fsmonitor /tmp/x', ['.git/config']],
    [
      'another place to push to',
      `${git} init -q .; git remote add o https://example.com/a.git`,
      'git remote set-url o https://example.org/a.git',
      ['.git/config'],
    ],
    ['what an editor runs', '', 'mkdir .vscode; echo {} > .vscode/tasks.json', ['.vscode', '.vscode/tasks.json']],
    ['a changed protected file', 'echo x > .envrc', 'echo y > .envrc', ['.envrc']],
    ['a deleted protected file', 'echo x > .envrc', 'rm .envrc', ['.envrc']],
    ['a file renamed to a protected name', 'echo x > a', 'mv a .envrc', ['.envrc']],
    ['a protected file renamed away', 'echo x > .envrc', 'mv .envrc a', ['a']],
    ['another spelling', '', 'echo x > .ENVRC', ['.ENVRC']],
    ['the policy itself', '', 'echo x > holdfast.toml', ['holdfast.toml']],
    [
      'a name below one with broken UTF-8',
      '',
      String.raw`mkdir -p .vscode; touch "$(printf '.vscode/\377')"`,
      ['.vscode', '.vscode/\uFFFD'],
    ],
  ])('%s', (...[, host, script, expected]) => {
    expect(refused(host, script)).toEqual(expected);
  });

  const rebase = 'mkdir -p .git/rebase-merge; cd .git/rebase-merge';
  const list = '.git/rebase-merge/git-rebase-todo';
  test.each([
    ['a rebase without commands', '', 'echo pick 1234 > git-rebase-todo', []],
    ['a command of a person’s own rebase', 'echo exec make > git-rebase-todo', 'echo pick 1 >> git-rebase-todo', []],
    ['a command in a new rebase', '', 'echo exec make > git-rebase-todo', [list]],
    ['a command beside a person’s own', 'echo exec make > git-rebase-todo', 'echo x y >> git-rebase-todo', [list]],
    ['a file moved to the list', 'echo exec make > ../a', 'mv ../a git-rebase-todo', [list]],
    ['a list that is a link', '', 'echo exec make > ../a; ln -s ../a git-rebase-todo', [list]],
  ])('%s', (...[, host, script, expected]) => {
    expect(refused(`${git} init -q .; ${rebase}; ${host}`, `${rebase}; ${script}`)).toEqual(expected);
  });

  test('the state of a rebase that is a link', () => {
    expect(refused(`${git} init -q .`, 'mkdir a; ln -s ../a .git/rebase-merge')).toEqual(['.git/rebase-merge']);
  });

  test('what the policy of the user denies', () => {
    expect(
      refused(
        'echo a > a',
        'echo b >> a; echo s > secret',
        'version = 1\n[[file]]\nname = "no-secrets"\ndecision = "deny"\npaths = ["**/secret"]\n',
      ),
    ).toEqual(['secret']);
  });
});
