import { describe, expect, test } from 'vitest';
import { brief } from '../testing/brief.ts';
import { isHarmlessKey } from './keys.ts';
import { isNeutralGit, neutralEnvironment, neutralGit, neutralGlobals } from './neutralise.ts';

const git = (line: string) => ['git', ...line.split(' ').filter((word) => word !== '')];

describe('neutralGit', () => {
  test('puts its settings behind those of the caller, so that they hold', () => {
    expect(neutralGit(git('-C sub -c color.ui=never log -3 -- a.ts'))?.argv).toEqual([
      'git',
      '-C',
      'sub',
      '-c',
      'color.ui=never',
      ...neutralGlobals,
      'log',
      '--no-ext-diff',
      '--no-textconv',
      '-3',
      '--',
      'a.ts',
    ]);
    expect(neutralGit(['/usr/bin/git', 'stash', 'list', '--oneline'])?.argv.slice(-5)).toEqual([
      'stash',
      'list',
      '--no-ext-diff',
      '--no-textconv',
      '--oneline',
    ]);
  });

  test.each(['status', 'diff', 'diff HEAD~', 'blame a.ts', 'ls-files -m', 'ls-files --modified', 'describe --dirty'])(
    'git %s leaves filters',
    (line) => {
      expect(neutralGit(git(line))?.leaves).toEqual(['filters']);
    },
  );

  test.each([
    'log',
    'log -p',
    'show',
    'diff --cached',
    'diff --staged',
    'ls-files',
    'branch',
    'branch --list x',
    'tag -l v1',
    'rev-parse HEAD',
    'grep x',
    'config --get user.name',
    'config -l',
    'config user.name',
    'remote -v',
    'remote get-url origin',
    'stash list',
    'describe',
    'cat-file -p HEAD',
  ])('git %s leaves nothing', (line) => {
    const neutral = neutralGit(git(line));
    expect(neutral?.leaves).toEqual([]);
    expect(neutral?.environment).toBe(neutralEnvironment);
    expect(isNeutralGit(neutral?.argv ?? [])).toBe(true);
    expect(isNeutralGit(git(line))).toBe(false);
  });

  test.each([
    // They change something.
    'commit -m x',
    'add .',
    'checkout main',
    'branch -D x',
    'branch new',
    'branch --list --no-list -D x',
    'branch -m a b',
    'tag v1',
    'tag -d v1',
    'tag -l -d v1',
    'stash',
    'stash pop',
    'stash drop',
    'remote add a b',
    'remote remove a',
    'config user.name Dev',
    'config --unset user.name',
    'config --add a.b c',
    'config get --unset user.name',
    'reset --hard',
    'reflog expire --all',
    'gc',
    'notes',
    'diff --output=x',
    'log --output=x',
    'show --output=/home/dev/.bashrc',
    'log --output x',
    // They talk to others.
    'fetch',
    'pull',
    'push',
    'clone https://example.com/a',
    'ls-remote',
    'remote show origin',
    'remote update',
    'archive --remote=a:b HEAD',
    'submodule update',
    // They ask for what is taken away.
    'diff --ext-diff',
    'log -p --textconv',
    'show --textconv',
    'log --show-signature',
    'log --remerge-diff',
    'log --alternate-refs',
    'grep -Oless x',
    'grep --open-files-in-pager x',
    'cat-file --filters HEAD:a',
    'cat-file --textconv HEAD:a',
    'tag -v v1',
    'diff --no-index a b',
    'grep --no-index x',
    // Nobody knows them.
    '',
    'lg',
    'statsu',
    'log --frob',
    'status --shor',
    'help log',
    'log --help',
    'log -h',
    'upload-pack .',
    'daemon',
    'difftool',
    'bisect run x',
    'submodule foreach x',
    // Options of git itself that decide what runs.
    '-c core.pager=./x log',
    '-c alias.log=!x log',
    '-p log',
    '--paginate log',
    '--git-dir=/tmp/x status',
    '--git-dir /tmp/x status',
    '--work-tree=/ status',
    '--exec-path=/tmp status',
    '--config-env=core.pager=X log',
    '-C',
    '-c',
    '--namespace=x log',
    '--bare log',
    '-ccore.pager=x log',
  ])('git %s has no neutral form', (line) => {
    expect(neutralGit(git(line))).toBeUndefined();
    expect(isNeutralGit(git(line))).toBe(false);
  });

  test('what is put behind or between the neutral settings takes the form away', () => {
    const argv = neutralGit(git('log -p'))?.argv ?? [];
    expect(isNeutralGit(argv)).toBe(true);
    const behind = argv.indexOf('log');
    for (const more of [['-c', 'core.pager=./x'], ['-p'], ['--git-dir=/tmp/x'], ['-c', 'gpg.program=./x']])
      expect(isNeutralGit([...argv.slice(0, behind), ...more, ...argv.slice(behind)])).toBe(false);
    for (const more of ['--ext-diff', '--textconv', '--show-signature', '--output=x', '--frob'])
      expect(isNeutralGit([...argv, more])).toBe(false);
    for (let place = 1; place < argv.length - 1; place++)
      expect(isNeutralGit(argv.toSpliced(place, 1)), argv[place]).toBe(false);
  });

  test('the analysis takes the neutral form for what it is', () => {
    const line = (text: string) => (neutralGit(git(text))?.argv ?? []).join(' ');
    expect(brief(line('log -3'))).toBe('reads:./**');
    expect(brief(line('-C sub diff --cached'))).toBe('reads:sub/**');
    expect(brief(line('status'))).toBe('reads:./** opaque:repository-code');
    expect(brief(`${line('log -3')} --ext-diff`)).toBe('reads:./** opaque:repository-code');
  });
});

describe('isHarmlessKey', () => {
  test.each([
    'color.ui=never',
    'COLOR.UI=always',
    'user.name=Dev',
    'user.email=dev@example.com',
    'core.quotePath=false',
    'core.quotepath',
    'log.date=iso',
    'diff.renames=true',
    'init.defaultBranch=main',
    'commit.gpgsign=false',
  ])('%s', (key) => {
    expect(isHarmlessKey(key)).toBe(true);
  });

  test.each([
    'core.pager=x',
    'core.editor=x',
    'core.fsmonitor=x',
    'core.hooksPath=x',
    'core.sshCommand=x',
    'core.askPass=x',
    'core.gitProxy=x',
    'core.alternateRefsCommand=x',
    'core.attributesFile=x',
    'core.worktree=/',
    'diff.external=x',
    'diff.evil.textconv=x',
    'diff.evil.command=x',
    'diff.orderFile=x',
    'diff.tool=x',
    'difftool.x.cmd=y',
    'merge.evil.driver=x',
    'merge.tool=x',
    'mergetool.x.cmd=y',
    'filter.evil.clean=x',
    'filter.evil.process=x',
    'gpg.program=x',
    'gpg.ssh.program=x',
    'gpg.ssh.defaultKeyCommand=x',
    'commit.gpgsign=true',
    'commit.template=x',
    'alias.st=!x',
    'include.path=x',
    'includeIf.gitdir:/.path=x',
    'credential.helper=x',
    'credential.https://example.com.helper=x',
    'interactive.diffFilter=x',
    'pager.log=x',
    'sequence.editor=x',
    'protocol.ext.allow=always',
    'remote.origin.url=x',
    'remote.origin.uploadpack=x',
    'url.x.insteadOf=y',
    'http.proxy=x',
    'man.viewer=x',
    'browser.x.cmd=y',
    'help.browser=x',
    'sendemail.smtpserver=x',
    'tar.tgz.command=x',
    'uploadpack.packObjectsHook=x',
    'submodule.x.update=!y',
    'safe.directory=*',
    'trace2.eventTarget=x',
    'log.showSignature=true',
    'format.pretty=%G?',
    '',
    'color',
    'user.signingkey=x',
    'hook.x.command=y',
    'gc.recentObjectsHook=x',
    'web.browser=x',
    'instaweb.httpd=x',
    'receive.procReceiveRefs=x',
    'init.templateDir=x',
    'core.gitproxy=x\ncolor.ui=y',
  ])('not %s', (key) => {
    expect(isHarmlessKey(key)).toBe(false);
  });
});
