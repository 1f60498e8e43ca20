/** Command lines with every form of the shell's grammar, and programs that are harmless in a separate directory. */
import * as fc from 'fast-check';

type Line = fc.Arbitrary<string>;

/** Nothing here is absolute, so a line's changes stay near its directory. */
const file: Line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'a',
      'b',
      'sub',
      'sub/c',
      'new',
      'sub/new',
      'empty',
      './a',
      'sub/../b',
      'sub/deep',
      'empty/x',
      'other',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '../out',
      '"a"',
      "'sub'/c",
      'sub/*',
      '~/kept',
      '"sub"/new',
      'su\\b/c',
      "$'a'",
      '.',
      '-',
      '[ab]',
      './*',
      '~',
      'sub/[cd]*',
      '{a,b}',
      '~/sub/../kept',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '$v',
      '"$v"',
      '$(echo a)',
      '"$PWD/new"',
      '"$(cat a)"',
      '`pwd`/a',
      '$((1+1))',
      '*',
      '"${v:-new}"',
      '"$HOME"/kept',
      '<(echo a)',
      '~+/a',
      '~-/b',
    ),
  },
);

const given = (...parts: readonly (string | Line)[]): Line =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((words) => words.join(''));
const one = (start: string, end = ''): Line => given(`${start} `, file, end);
const two = (start: string): Line => given(`${start} `, file, ' ', file);

const program: Line = fc.oneof(
  fc
    .constantFrom(
      'touch',
      'rm',
      'rm -r',
      'rm -f',
      'mkdir',
      'mkdir -p',
      'rmdir',
      'tee',
      'tee -a',
      'sed -i s/1/2/',
      "sed 's/1/2/w new'",
      'truncate -s 3',
      'chmod 600',
      'split -l 1',
      'cat',
      'ls',
      'head -n 1',
      'wc',
      'grep -r marker',
      'test -f',
      'echo',
      'find',
      'csplit -s',
      'mktemp -p',
    )
    .chain((start) => one(start)),
  fc
    .constantFrom(
      'cp',
      'cp -r',
      'cp -t',
      'mv',
      'mv -t',
      'ln',
      'ln -s',
      'install',
      'sort -o',
      'split -n 2',
      'tee',
      'touch -r',
      'touch',
      'rm',
      'cat',
      'cmp',
      'uniq',
      'shuf -o',
      'install -D',
      'mkdir',
      'mv -b',
    )
    .chain(two),
  given('dd status=none if=', file, ' of=', file),
  given('[ -e ', file, ' ]'),
  fc.constantFrom('true', 'false', 'pwd', 'cat', 'tr a b', 'sort', 'ls', 'date', 'tee new', 'find', 'wc -l'),
);

const ofShell: Line = fc.oneof(
  fc.constantFrom('cd', 'pushd', 'cd -P', 'cd -L').chain((start) => one(start)),
  fc.constantFrom(
    'cd',
    'cd -',
    'popd',
    'pushd',
    'read v',
    'v=a',
    'export v=b',
    ':',
    'set -e',
    'set -f',
    'shopt -s dotglob',
    'unset v',
    'exit',
    'cd ..',
    'cd ../..',
    'command cd sub',
    'builtin cd sub',
    'umask 0',
    'set -- a b',
    'shift',
    'local v=a',
    'return',
    'exec',
    'wait',
    'break',
    'mapfile v',
    'printf -v v new',
    'let v=1',
    'declare v=sub',
  ),
  one('v='.concat('new;echo')),
);

/** Without single quotes, so that it can be put between them. */
const plain: Line = program.filter((line) => !line.includes("'"));

const wrapped: Line = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'env v=new',
        'env -C sub',
        'env -i',
        'nice',
        'nice -n 1',
        'timeout 2',
        'command',
        'nohup',
        'time',
        '!',
        'stdbuf -oL',
        'setsid -w',
        'v=a',
        'xargs',
        'xargs -n1',
        'xargs -a a',
        'exec',
        'env --chdir=sub',
        'time -p',
        'command -p',
        'builtin',
        'flock b',
        'ionice',
      ),
      program,
    )
    .map((both) => both.join(' ')),
  given(
    fc.constantFrom('sh -c ', 'bash -c ', 'eval ', 'env bash -c ', 'bash -ec ', 'trap ', 'nice sh -c '),
    "'",
    plain,
    "'",
    fc.constantFrom('', ' EXIT', ' x a', ' x'),
  ),
  given(
    'bash -c "',
    plain.filter((line) => !/["`$\\]/u.test(line)),
    '"',
  ),
  given(
    'find ',
    file,
    ' ',
    fc.constantFrom('-name c', '-maxdepth 1', '-type f', '-newer a', '! -name a'),
    ' ',
    fc.constantFrom('-exec', '-execdir', '-ok'),
    ' ',
    plain,
    fc.constantFrom(' {} \\;', ' \\;', ' {} +', ' x{} \\;'),
  ),
  given('find ', file, ' -type f ', fc.constantFrom('-delete', '-fprint new', '-print0 | xargs -0 cat', '-print')),
  given('echo ', file, ' | xargs ', fc.constantFrom('', '-I{} ', '-n 1 ', '-t '), program, fc.constantFrom('', ' {}')),
  given("printf '%s\\n' ", file, ' | while read -r v; do ', plain, '; done'),
);

const redirect: Line = fc.oneof(
  given(fc.constantFrom('>', '>>', '2>', '&>', '>|', '<', '<>', '&>>', '2>>', '>&', '3>', '{fd}>', '1<>'), ' ', file),
  fc.constantFrom(
    '2>&1',
    '> /dev/null',
    '2>/dev/null',
    '<<< a',
    '>&2',
    '3>&1',
    '<&-',
    '<<E\nnew\n$(touch new)\nE\n',
    "<<'E'\nnew\nE\n",
  ),
);

const simple: Line = given(
  fc.oneof({ weight: 5, arbitrary: program }, { weight: 2, arbitrary: ofShell }, { weight: 3, arbitrary: wrapped }),
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: given(' ', redirect) },
    { weight: 1, arbitrary: given(' ', redirect, ' ', redirect) },
  ),
);

const joined = (command: Line): Line =>
  fc
    .tuple(
      command,
      fc.array(fc.tuple(fc.constantFrom(';', '&&', '||', '|', '\n', '|&', '&'), command), { maxLength: 3 }),
    )
    .map(([first, more]) =>
      more.reduce(
        (line, [operator, next]) => (line.endsWith('E\n') ? `${line}${next}` : `${line} ${operator} ${next}`),
        first,
      ),
    );

const inside = (list: Line): Line => list.map((line) => (line.endsWith('\n') ? line : `${line}\n`));

const compound = (list: Line): Line => {
  const body = inside(list);
  return fc.oneof(
    given('(', body, ')'),
    given('{ ', body, '}'),
    given('if ', body, 'then ', body, 'else ', body, 'fi'),
    given('for v in ', file, ' ', file, '; do ', body, 'done'),
    given('while read v; do ', body, 'done < ', file),
    given('case ', file, ' in a|sub) ', body, ';; *) ', body, ';; esac'),
    given('f() { ', body, '}; f; f'),
    given('f() { ', body, '}; cd ', file, ' && f'),
    given('f() { ', body, '}; (cd sub; f); f'),
    given('cd ', file, '; ', body),
    given('cd ', file, ' && cd ', file, '; ', body),
    given('! cd ', file, ' && touch new'),
    given(fc.constantFrom('true', 'false', 'cd empty'), ' || eval "cd sub" && ', body),
    given('pushd -n ', file, ' && ', body),
    given('cd sub; ', body, 'cd ../empty && touch new; touch new'),
    given('f() (', body, '); f && f'),
    given('v=$(', body, '); touch new'),
    given('until ', body, 'do break; done'),
    given('for ((i = 0; i < 2; i++)); do ', body, 'done'),
    given(
      '[[ -e ',
      file.filter((word) => !/^<|\{/u.test(word)),
      ' ]] && { ',
      body,
      '} > ',
      file,
    ),
    given('{ ', body, '} | { ', body, '}'),
    given('cat <(', body, ')'),
    given('echo a > >(', body, ')'),
    given('coproc { ', body, '}; wait'),
    given('select v in a; do ', body, 'break; done < a'),
  );
};

const list = joined(simple);
const nested = joined(fc.oneof({ weight: 2, arbitrary: simple }, { weight: 1, arbitrary: compound(list) }));

/** No line goes up further than the depth of its directories. */
export const realLine: Line = fc
  .oneof(list, nested, compound(nested))
  .filter((line) => (line.match(/\.\./gu)?.length ?? 0) < 8);
