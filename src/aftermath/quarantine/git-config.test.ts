import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { dangerousSetting, sameButHarmless } from './git-config.ts';

const anywhere = () => true;
const judge = (text: string): string | undefined => dangerousSetting(text, anywhere);

describe('settings that can run nothing', () => {
  test.each([
    '',
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
    '# a comment with core.pager = x\n; another\n[core]\n\tbare\n',
    '[core]\r\n\tbare = false\r\n',
    '[remote "origin"]\n\turl = https://example.com/a b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[remote "origin"]\n\turl = git@example.com:a/b.git\n\tpushurl = ssh://git@example.com/a\n',
    '[remote "origin"]\n\turl = /srv/git/a\n[remote "two"]\n\turl = ../other\n[remote "three"]\n\turl = file:///srv/a\n',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[branch "x"]\n\tremote = .\n',
    '[branch "a.b\\"c"]\n\tmerge = refs/heads/x\n',
    '[submodule]\n\tactive = .\n[submodule "libs/x"]\n\turl = ../x\n\tactive = true\n',
    '[extensions]\n\tworktreeConfig = true\n\tobjectFormat = sha256\n',
    '[user]\n\tname = A "B"\n',
  ])('%j', (text) => {
    expect(judge(text)).toBeUndefined();
  });
});

describe('settings that run or redirect something', () => {
  test.each([
    ['[core]\n\tfsmonitor = "touch /tmp/x"\n', 'core.fsmonitor'],
    ['[core]\nhooksPath=x\n', 'core.hookspath'],
    ['[CORE]\n\tPAGER = x\n', 'core.pager'],
    ['[core]\n\tsshCommand = x\n', 'core.sshcommand'],
    ['[core]\n\teditor = x\n', 'core.editor'],
    ['[core]\n\tgitProxy = x\n', 'core.gitproxy'],
    ['[core]\n\tattributesFile = x\n', 'core.attributesfile'],
    ['[core]\n\talternateRefsCommand = x\n', 'core.alternaterefscommand'],
    ['[include]\n\tpath = ../x\n', 'include.path'],
    ['[includeIf "gitdir:/"]\n\tpath = ../x\n', 'includeif.gitdir:/.path'],
    ['[filter "x"]\n\tclean = x\n', 'filter.x.clean'],
    ['[diff "x"]\n\ttextconv = x\n', 'diff.x.textconv'],
    ['[merge "x"]\n\tdriver = x\n', 'merge.x.driver'],
    ['[alias]\n\tstatus = !x\n', 'alias.status'],
    ['[credential]\n\thelper = !x\n', 'credential.helper'],
    ['[gpg]\n\tprogram = x\n', 'gpg.program'],
    ['[gpg "ssh"]\n\tprogram = x\n', 'gpg.ssh.program'],
    ['[url "https://evil/"]\n\tinsteadOf = https://\n', 'url.https://evil/.insteadof'],
    ['[http]\n\tproxy = http://evil\n', 'http.proxy'],
    ['[http]\n\tsslVerify = false\n', 'http.sslverify'],
    ['[protocol]\n\tallow = always\n', 'protocol.allow'],
    ['[uploadpack]\n\tpackObjectsHook = x\n', 'uploadpack.packobjectshook'],
    ['[sequence]\n\teditor = x\n', 'sequence.editor'],
    ['[remote "origin"]\n\tvcs = x\n', 'remote.origin.vcs'],
    ['[remote "origin"]\n\tuploadpack = x\n', 'remote.origin.uploadpack'],
    ['[remote "x.url"]\n\treceivepack = x\n', 'remote.x.url.receivepack'],
    ['[remote.origin]\n\tproxy = x\n', 'remote.origin.proxy'],
    ['[submodule "x"]\n\tupdate = !x\n', 'submodule.x.update'],
    ['[submodule "x"]\n\tpath = ../../x\n', 'submodule.x.path'],
    ['[extensions]\n\tpartialClone = x\n', 'extensions.partialclone'],
    ['[core "x"]\n\tbare = x\n', 'core.x.bare'],
  ])('%j', (text, setting) => {
    expect(judge(text)).toBe(setting);
  });

  test.each([
    'ext::sh -c x',
    'x::y',
    '-x',
    '--upload-pack=x',
    'ssh://-oProxyCommand=x/y',
    '-oProxyCommand=x@host:y',
    'git@-oProxyCommand:y',
    'a@b::c',
    'fd::7',
    '"https://example.com"',
    'origin',
    '',
  ])('a URL of the form %j', (url) => {
    expect(judge(`[remote "origin"]\n\turl = ${url}\n`)).toBe('remote.origin.url');
    expect(judge(`[submodule "x"]\n\turl = ${url}\n`)).toBe('submodule.x.url');
  });

  test.each(['ext::sh -c x', 'https://evil/x', '../x', '/x', '-x', 'a/../b:c', 'a@b:c', '..'])(
    'a branch whose remote is the URL %j',
    (remote) => {
      expect(judge(`[branch "main"]\n\tremote = ${remote}\n`)).toBe('branch.main.remote');
    },
  );

  test('a work tree that is not where the box may write', () => {
    const text = '[core]\n\tworktree = ../../../sub\n';
    expect(dangerousSetting(text, (workTree) => workTree === '../../../sub')).toBeUndefined();
    expect(dangerousSetting(text, () => false)).toBe('core.worktree');
    for (const value of ['/home/you', '~/x', '"../x"', '-x', '../x\\t', '$HOME', ''])
      expect(judge(`[core]\n\tworktree = ${value}\n`)).toBe('core.worktree');
  });
});

describe('a key that git and a line reader read differently', () => {
  test.each([
    ['a section and a setting on one line', '[core] fsmonitor = x\n'],
    ['a value that continues on the next line', '[user]\n\tname = \\\n[core]\n'],
    ['a setting that continues', '[branch "x"]\n\tmerge = a\\\nb\n'],
    ['a comment before the section', '# x\r[core]\nfsmonitor = x\n'],
    ['a section in capitals with spaces', '[ core ]\n\tfsmonitor = x\n'],
    ['a byte order mark', '\uFEFF[core]\n\tfsmonitor = x\n'],
    ['an escaped bracket in a subsection', '[branch "]"]\n\tfsmonitor = x\n'],
    ['a setting before any section', 'fsmonitor = x\n'],
    ['a name with a space', '[core]\n\tfs monitor = x\n'],
    ['no newline at the end', '[core]\n\tfsmonitor = x'],
    ['a comment sign inside of a value', '[remote "x"]\n\turl = ext::sh #https://\n'],
  ])('%s', (_name, text) => {
    expect(judge(text)).toBeDefined();
  });

  test('is refused at little cost, however long a line is', () => {
    atMost(2000, () => {
      for (const part of ['../', '[', '"', '\\"', 'a.', '-', '@', '/']) {
        const long = part.repeat((1 << 20) / part.length);
        for (const text of [
          `[core]\nworktree = ${long}!`,
          `[remote "${long}"]\nx = y`,
          `[remote "o"]\nurl = ${long}`,
          `[branch "b"]\nremote = ${long}`,
          long,
        ])
          expect(judge(text)).toBeDefined();
      }
    });
  });
});

describe('a changed configuration', () => {
  const origin =
    '[core]\n\tpager = less\n[remote "origin"]\n\turl = https://example.com/a.git\n[branch "main"]\n\tremote = origin\n';
  test.each([
    ['nothing', ''],
    ['a name', '[user]\n\tname = A\n'],
    [
      'a new remote',
      '[remote "fork"]\n\turl = https://example.com/b.git\n\tfetch = +refs/heads/*:refs/remotes/fork/*\n',
    ],
    ['a new branch', '[branch "x"]\n\tremote = origin\n\tmerge = refs/heads/x\n'],
    ['a comment', '# core.pager = x\n'],
  ])('may gain %s', (_what, addition) => {
    expect(sameButHarmless(origin, origin + addition)).toBe(true);
  });

  test.each([
    ['a program', `${origin}[core]\n\tfsmonitor = x\n`],
    ['an include', `${origin}[include]\n\tpath = x\n`],
    ['another pager', origin.replace('less', 'evil')],
    ['no pager', origin.replace('\tpager = less\n', '')],
    ['another place of an old remote', origin.replace('example.com', 'example.org')],
    ['one more place to push an old remote to', `${origin}[remote "origin"]\n\tpushurl = https://example.org/a.git\n`],
    ['another remote of an old branch', origin.replace('remote = origin', 'remote = fork')],
    ['a new remote that is a program', `${origin}[remote "x"]\n\turl = ext::sh -c x\n`],
    ['a value that is read in another way', `${origin}[user]\n\tname = "a\\nb"\n`],
    ['something that git gives up at', `${origin}[`],
  ])('may not come to have %s', (_what, after) => {
    expect(sameButHarmless(origin, after)).toBe(false);
  });

  test('may not have its programs in another order, which decides which one counts', () => {
    const text = (pagers: readonly string[]) => pagers.map((pager) => `[core]\n\tpager = ${pager}\n`).join('');
    expect(sameButHarmless(text(['evil', 'less']), text(['evil', 'less']))).toBe(true);
    expect(sameButHarmless(text(['evil', 'less']), text(['less', 'evil']))).toBe(false);
  });
});
