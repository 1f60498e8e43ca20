import { describe, expect, test } from 'vitest';
import { analysed, analysedWords, commandNamed, effects, reasons, tree } from './testing/analysed.ts';

describe('shells', () => {
  test.each([
    ["sh -c 'rm a'", ['0 sh -c rm a', '1<0 rm a']],
    ["bash -c 'rm a; ls | cat'", ['0 bash -c rm a; ls | cat', '1<0 rm a', '2<0 ls', '3<0 cat']],
    ["dash -ec 'rm a'", ['0 dash -ec rm a', '1<0 rm a']],
    ["/bin/sh -c 'rm a'", ['0 /bin/sh -c rm a', '1<0 rm a']],
    ['sh -c "sh -c \'rm a\'"', ["0 sh -c sh -c 'rm a'", '1<0 sh -c rm a', '2<1 rm a']],
    [
      "sudo -u x env A=1 timeout 5 bash -c 'rm a'",
      [
        '0 sudo -u x env A=1 timeout 5 bash -c rm a',
        '1<0 env A=1 timeout 5 bash -c rm a',
        '2<1 timeout 5 bash -c rm a',
        '3<2 bash -c rm a',
        '4<3 rm a',
      ],
    ],
    ["bash <<'E'\nrm a\nE\n", ['0 bash', '1<0 rm a']],
    ["bash -s x <<'E'\nrm a\nE\n", ['0 bash -s x', '1<0 rm a']],
    ["sh <<< 'rm a'", ['0 sh', '1<0 rm a']],
    ["sh -c 'rm $(cat b)'", ['0 sh -c rm $(cat b)', '1<0 rm $(cat b)', '2<1 cat b']],
    ["sh -c ''", ['0 sh -c ']],
    ['bash -c \'ls "$1"\' name arg', ['0 bash -c ls "$1" name arg', '1<0 ls "$1"']],
  ])('%s', (text, expected) => {
    expect(tree(analysed(text))).toEqual(expected);
  });

  test.each([
    ['sh', ['stdin-code']],
    ['cat x | sh', ['stdin-code']],
    ['cat x | sudo bash -s', ['stdin-code']],
    ["cat x | sh -c 'sh'", ['stdin-code']],
    ["sh -c 'cat x | bash'", ['stdin-code']],
    ['sh -c "$X"', ['inline-code']],
    ['sh -c "rm $X"', ['inline-code']],
    ['sh -c', []],
    ['sh <<E\nrm $X\nE\n', ['inline-code']],
    ['sh <<< "$X"', ['inline-code']],
    ['sh < x.sh', ['repository-code']],
    ['sh < $X', ['dynamic-word', 'inline-code']],
    ['sh x.sh', ['repository-code']],
    ['sh /dev/stdin', ['stdin-code']],
    ['cat x | bash /dev/fd/0', ['stdin-code']],
    ['bash /proc/self/fd/3', ['stdin-code']],
    ['. /dev/stdin <<< "$X"', ['stdin-code']],
    ['cat x | python3 /dev/stdin', ['stdin-code']],
    ['cat x | make -f -', ['repository-code', 'stdin-code']],
    ['sh $X', ['dynamic-word']],
    ['sh ./*.sh', ['inline-code']],
    ['bash --rcfile x -c ls', ['repository-code']],
    ['bash -lc ls', ['repository-code']],
    ['bash --frob', ['unknown-option']],
    ['bash --version', []],
    ["sh -c 'rm )'", ['syntax']],
    ["zsh -c 'rm a'", ['shell']],
    ['zsh --version', []],
    ["fish -c 'rm a'", ['shell']],
    ["ksh -c 'rm a'", ['shell']],
    ["csh -c 'rm a'", ['shell']],
    ["pwsh -c 'rm a'", ['repository-code', 'shell']],
    ["sh -c '((rm a))'", ['shell']],
    ["sh -c '[[ a || b ]]'", ['shell']],
  ])('%s: %j', (text, kinds) => {
    expect(reasons(analysed(text))).toEqual(kinds);
  });

  test('a script file is read, and runs', () => {
    expect(effects(analysed('sh scripts/x.sh a'))).toEqual([
      'read /srv/project/scripts/x.sh',
      'run /srv/project/scripts/x.sh',
    ]);
  });

  test('an option that is not understood shows no commands', () => {
    expect(tree(analysed("sh --frob -c 'rm a'"))).toHaveLength(1);
    expect(tree(analysed("timeout --frob 5 sh -c 'rm a'"))).toHaveLength(1);
  });

  test('without a shell around it', () => {
    expect(tree(analysedWords('sh', '-c', 'rm "$1"', 'x', 'y'))).toEqual(['0 sh -c rm "$1" x y', '1<0 rm "$1"']);
    expect(tree(analysedWords('rm', '$HOME', '*'))).toEqual(['0 rm $HOME *']);
  });
});

describe('builtins that run words', () => {
  test.each([
    ['eval rm a', ['0 eval rm a', '1<0 rm a']],
    ["eval 'rm a;' ls", ['0 eval rm a; ls', '1<0 rm a', '2<0 ls']],
    ["eval eval 'rm a'", ['0 eval eval rm a', '1<0 eval rm a', '2<1 rm a']],
    ['eval', ['0 eval']],
    ['command rm a', ['0 command rm a', '1<0 rm a']],
    ['command -p rm a', ['0 command -p rm a', '1<0 rm a']],
    ['command -v rm', ['0 command -v rm']],
    ['builtin eval rm a', ['0 builtin eval rm a', '1<0 eval rm a', '2<1 rm a']],
    ['exec rm a', ['0 exec rm a', '1<0 rm a']],
    ['exec -a x rm a', ['0 exec -a x rm a', '1<0 rm a']],
    ['exec > log', ['0 exec']],
    ["trap 'rm a' EXIT", ['0 trap rm a EXIT', '1<0 rm a']],
    ["trap -- 'rm a' EXIT", ['0 trap -- rm a EXIT', '1<0 rm a']],
    ['trap - EXIT', ['0 trap - EXIT']],
    ["trap '' INT", ['0 trap  INT']],
    ['trap EXIT', ['0 trap EXIT']],
    ['trap 1 2', ['0 trap 1 2']],
    ['trap -p', ['0 trap -p']],
  ])('%s', (text, expected) => {
    expect(tree(analysed(text))).toEqual(expected);
  });

  test.each([
    ['eval "$X"', ['inline-code']],
    ['eval rm $X', ['inline-code']],
    ['eval ls *', ['inline-code']],
    ['trap "$X" EXIT', ['inline-code']],
    ['source x', ['repository-code']],
    ['. ./x', ['repository-code']],
    ['. "$X"', ['inline-code']],
    ['source', ['unknown-option']],
    ['cd $X; . ./y', ['dynamic-word', 'unknown-tool']],
    ['. /tmp/x', ['unknown-tool']],
    ['bash /tmp/x', ['unknown-tool']],
    ['bash < /tmp/x', ['unknown-tool']],
    ['bash --rcfile /tmp/x a', ['repository-code', 'unknown-tool']],
    ['bash ../x', ['unknown-tool']],
    ['cd /tmp && bash x', ['unknown-tool']],
    ['cd /tmp; bash x', ['repository-code', 'unknown-tool']],
    ['cd a && bash ../x', ['repository-code']],
  ])('%s: %j', (text, kinds) => {
    expect(reasons(analysed(text))).toEqual(expect.arrayContaining([...kinds]));
  });

  test('a trap runs wherever the shell is then', () => {
    expect(commandNamed(analysed("trap 'rm a' EXIT"), 'rm').cwd).toBe('unknown');
  });

  test('a sourced file is read, and runs', () => {
    expect(effects(analysed('. /etc/profile'))).toEqual(['read /etc/profile', 'run /etc/profile']);
    expect(effects(analysed('source -- ~/.bashrc'))).toEqual(['read /home/dev/.bashrc', 'run /home/dev/.bashrc']);
  });
});

describe('functions of the text', () => {
  test('a call has the effects of the body, which stands where it is defined', () => {
    const analysis = analysed('f() { rm a; }; f x');
    expect(effects(analysis)).toEqual(['delete /srv/project/a']);
    expect(commandNamed(analysis, 'f')).toMatchObject({ tool: undefined, effects: { opaque: [] } });
  });

  test.each(['f() { rm a; }\nf', 'function f { rm a; }; f', 'function f() { rm a; }; f', "sh -c 'f() { rm a; }; f'"])(
    '%s calls it',
    (text) => {
      expect(reasons(analysed(text))).toEqual([]);
    },
  );

  // The function does not exist there, so a program with that name would run.
  test.each([
    'f; f() { rm a; }',
    'false && f() { rm a; }; f',
    'f() { ls; }; env f',
    'f() { ls; }; sh -c f',
    'f() { ls; }; command f',
    'f() { ls; }; xargs f',
  ])('%s may call a program', (text) => {
    expect(reasons(analysed(text))).toContain('unknown-tool');
  });

  test('a function with the name of a tool hides nothing that the tool would do', () => {
    const analysis = analysed('rm() { true; }; rm -r a');
    expect(effects(analysis)).toEqual(['delete /srv/project/a/**']);
    expect(commandNamed(analysis, 'rm').tool).toBeUndefined();
  });

  test('a function with the name of a shell hides nothing that the shell would run', () => {
    expect(tree(analysed("sh() { true; }; sh -c 'rm a'"))).toContain('2<1 rm a');
  });

  test('eval knows the functions around it', () => {
    expect(reasons(analysed("f() { cat /a; }; eval 'f'"))).toEqual(['unknown-tool']);
  });

  test.each(['cd a && f', '(cd a && f)', 'cd a; f', 'pushd a; f', "eval 'cd a'; f", 'f; cd a && f'])(
    'f() { rm x; }; %s: its body runs where it is called',
    (calls) => {
      const {
        cwd,
        effects: { writes, opaque },
      } = commandNamed(analysed(`f() { rm x; }; ${calls}`), 'rm');
      expect(cwd).toBe('unknown');
      expect(writes).toMatchObject([{ path: undefined }]);
      expect(opaque).toMatchObject([{ kind: 'dynamic-word' }]);
    },
  );

  test.each(['2; rm a', '-; rm a', '12\nrm a'])('the text %j of a trap is no number of a signal', (text) => {
    expect(tree(analysed(`trap '${text}' EXIT`)).at(-1)).toMatch(/ rm a$/u);
  });

  test.each(['zsh', 'zsh -c ls', 'zsh --version -c ls', 'fish x', 'pwsh', 'pwsh -File x', 'pwsh -Frob -Command ls'])(
    '%s is in a language that is not read',
    (line) => {
      expect(reasons(analysed(line))).toEqual(['shell']);
    },
  );

  test.each(['zsh --version', 'fish --help', 'pwsh --version'])('%s only tells of itself', (line) => {
    expect(reasons(analysed(line))).toEqual([]);
  });

  test('a file of nothing runs nothing', () => {
    expect(reasons(analysed('bash --rcfile /dev/null -c ls'))).toEqual([]);
    expect(reasons(analysed('. /dev/null'))).toEqual([]);
  });
});
