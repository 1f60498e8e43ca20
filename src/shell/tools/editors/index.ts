/** Editors and clients of databases. Specifications and their refinements only: nothing is looked up on the machine. */
import type { Word } from '../../types.ts';
import {
  alike,
  each,
  flags,
  inOrder,
  maybe,
  noSpan,
  opaqueEffect,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { ParsedArguments, Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';

/** A file's last lines can set options, and a person at the keys can run anything. */
const modelines = opaqueEffect(
  'inline-code',
  'an editor runs what is typed, and what modelines and its configuration say',
);

const vi: readonly ToolSpec[] = alike('vi vim nvim view vimdiff rvim gvim ex', {
  options: [
    ...flags(
      '-R',
      '-n',
      '-d',
      '-o',
      '-O',
      '-p',
      '-e',
      '-E',
      '-y',
      '-Z',
      '-b',
      '-l',
      '-m',
      '-M',
      '-N',
      '-C',
      '--version',
      '-h --help',
      '--clean',
      '--noplugin',
      '--headless',
    ),
    ...takes('code', '-c', '--cmd'),
    ...takes('code-file', '-S', '-u', '-U', '-s'),
    ...takes('read', '-t', '-q', '-r', '-L'),
    ...takes('write', '-w', '-W', '-i'),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--remote` drives an editor that is open'),
      '--remote',
      '--remote-send',
      '--remote-expr',
      '--listen',
      '--server',
      '--servername',
    ),
    ...maybe('text', '-V'),
  ],
  operands: each('write'),
  always: [modelines],
});

const emacs = tool('emacs emacsclient', {
  grammar: 'long',
  options: [
    ...flags(
      '-nw',
      '--no-window-system',
      '-q',
      '--no-init-file',
      '-Q',
      '--quick',
      '--batch',
      '--version',
      '--help',
      '-t',
      '-n',
      '-c',
    ),
    ...takes('code', '--eval', '--execute'),
    ...takes('code-file', '-l', '--load', '--script'),
    ...takes('code', '-f', '--funcall'),
    ...takes('directory', '--chdir'),
    ...takes('text', '--display'),
  ],
  operands: each('write'),
  always: [modelines],
});

/** They read commands from their input, including `!`, which is the shell. */
const line: readonly ToolSpec[] = [
  tool('ed red', {
    options: [
      ...flags(
        '-G --traditional',
        '-E --extended-regexp',
        '-l --loose-exit-status',
        '-r --restricted',
        '-s --quiet --silent',
        '-v --verbose',
        '-V --version',
        '-h --help',
        '--strip-trailing-cr',
      ),
      ...takes('text', '-p --prompt'),
    ],
    operands: each('write'),
    refine: (parsed) => ({
      opaque: [
        {
          kind: 'stdin-code',
          message: 'takes commands from its input, and `!` runs a program',
          span: parsed.operands[0]?.span ?? noSpan,
        },
      ],
    }),
  }),
];

const screen: readonly ToolSpec[] = [
  tool('nano pico', {
    options: [
      ...flags(
        '-B --backup',
        '-l --linenumbers',
        '-i --autoindent',
        '-w',
        '-x --nohelp',
        '-R --restricted',
        '-v --view',
        '-V --version',
        '-h --help',
        '-m --mouse',
        '-E --tabstospaces',
        '-I --ignorercfiles',
      ),
      ...takes('text', '-T --tabsize', '-Y --syntax', '-r --fill'),
      ...takes('program', '-s --speller'),
      ...takes('code-file', '-f --rcfile'),
      ...takes('write-tree', '-C --backupdir'),
    ],
    operands: each('write'),
    always: [modelines],
  }),
  ...alike('micro joe mcedit hx helix kak kakoune', {
    options: flags('--version', '--help'),
    operands: each('write'),
    always: [modelines],
  }),
  ...alike('code code-insiders codium cursor subl zed idea webstorm pycharm', {
    options: [
      ...flags(
        '-v --version',
        '-h --help',
        '-n --new-window',
        '-r --reuse-window',
        '-w --wait',
        '-d --diff',
        '-g --goto',
        '--list-extensions',
        '--status',
      ),
      ...warnsTaking(
        opaqueEffect('inline-code', 'extensions are programs'),
        '--install-extension',
        '--uninstall-extension',
        '--extensions-dir',
        '--user-data-dir',
      ),
    ],
    operands: each('write-tree'),
    always: [opaqueEffect('inline-code', 'opens an editor outside of the box, which runs tasks and extensions')],
  }),
];

const editorTools: readonly ToolSpec[] = [...vi, emacs, ...line, ...screen];

const valuesOf = (parsed: ParsedArguments, ...names: readonly string[]): readonly Word[] =>
  parsed.options.flatMap(({ spelled, value }) => (names.includes(spelled) && value !== undefined ? [value] : []));

const fromInput = (parsed: ParsedArguments, what: string) => [
  {
    kind: 'stdin-code' as const,
    message: `takes commands from its input, and ${what} runs a program`,
    span: parsed.operands[0]?.span ?? noSpan,
  },
];

/** `.shell`, `.import '|cmd'`, `.output '|cmd'`, `.load`, and the functions that do the same. */
const dots = /(?:^|\n)[^\S\n]*\.|load_extension|writefile|readfile|edit\s*\(|\battach\b|vacuum\s+into|fts3_tokenizer/iu;

const sqlite = tool('sqlite3', {
  grammar: 'long',
  options: [
    ...flags(
      '-ascii',
      '-bail',
      '-batch',
      '-box',
      '-column',
      '-csv',
      '-echo',
      '-header',
      '-noheader',
      '-html',
      '-json',
      '-line',
      '-list',
      '-markdown',
      '-quote',
      '-readonly',
      '-safe',
      '-table',
      '-tabs',
      '-version',
      '-help',
      '-stats',
      '-memtrace',
    ),
    ...takes('text', '-separator', '-nullvalue', '-newline', '-mmap', '-maxsize', '-pagecache'),
    ...takes('code', '-cmd'),
    ...takes('code-file', '-init'),
    ...warns(
      opaqueEffect('inline-code', '`-A` is an archiver, `-interactive` runs what is typed'),
      '-A',
      '-interactive',
      '-append',
      '-zip',
    ),
    ...warnsTaking(opaqueEffect('inline-code', '`-vfs` names how files are reached'), '-vfs'),
  ],
  operands: inOrder(['write'], 'text'),
  refine: (parsed) => {
    const statements = parsed.operands.slice(1);
    if (statements.length === 0)
      return parsed.options.some(({ spelled }) => /^--?(?:version|help)$/u.test(spelled))
        ? {}
        : { opaque: fromInput(parsed, '`.shell`') };
    return { opaque: statements.flatMap((word) => sql(word, dots)) };
  },
});

const backslash =
  /`|\\(?!d|l|z|x|timing|conninfo|q\b)|\b(?:program|lo_import|lo_export|copy|pg_read_file|pg_ls_dir|create\s+(?:or\s+replace\s+)?(?:function|procedure|extension|language)|do\s+\$)/iu;

const hostOption = takes('host', '-h --host');

const connects =
  (
    ...options: readonly string[]
  ): ((parsed: ParsedArguments) => { hosts: readonly { host: undefined; port: undefined; text: string }[] }) =>
  (parsed) => ({
    hosts:
      valuesOf(parsed, ...options).length > 0
        ? []
        : [{ host: undefined, port: undefined, text: 'the server that the configuration names' }],
  });

const psqlRefine: Refine = (parsed) => {
  const statements = valuesOf(parsed, '-c', '--command');
  const isQuestion =
    statements.length > 0 ||
    parsed.options.some(({ spelled }) =>
      ['-l', '--list', '-V', '--version', '-f', '--file', '-?', '--help'].includes(spelled),
    );
  return {
    ...connects('-h', '--host')(parsed),
    opaque: [
      ...statements.flatMap((word) => sql(word, backslash)),
      ...(isQuestion ? [] : fromInput(parsed, '`\\!`')),
      ...parsed.operands
        .filter((word) => !/^[\w-]+$/u.test(wordAsTyped(word)))
        .map((word) => ({
          kind: 'unknown-option' as const,
          message: `\`${wordAsTyped(word)}\` is a connection that is not read`,
          span: word.span,
        })),
    ],
  };
};

const psql = tool('psql', {
  options: [
    ...flags(
      '-l --list',
      '-a --echo-all',
      '-A --no-align',
      '-b --echo-errors',
      '-e --echo-queries',
      '-E --echo-hidden',
      '-n --no-readline',
      '-q --quiet',
      '-s --single-step',
      '-S --single-line',
      '-t --tuples-only',
      '-x --expanded',
      '-X --no-psqlrc',
      '-z',
      '-0',
      '-1 --single-transaction',
      '-w --no-password',
      '-W --password',
      '-H --html',
      '--csv',
      '-V --version',
      '-? --help',
    ),
    ...takes(
      'text',
      '-c --command',
      '-d --dbname',
      '-U --username',
      '-p --port',
      '-F --field-separator',
      '-R --record-separator',
      '-P --pset',
      '-T --table-attr',
      '-v --set --variable',
    ),
    ...takes('code-file', '-f --file'),
    ...takes('write', '-o --output', '-L --log-file'),
    ...hostOption,
  ],
  operands: each('text'),
  refine: psqlRefine,
});

const dumps: readonly ToolSpec[] = [
  tool('pg_dump pg_dumpall', {
    options: [
      ...flags(
        '-a --data-only',
        '-s --schema-only',
        '-c --clean',
        '-C --create',
        '-O --no-owner',
        '-x --no-privileges',
        '-v --verbose',
        '-w --no-password',
        '--if-exists',
      ),
      ...takes(
        'text',
        '-d --dbname',
        '-U --username',
        '-p --port',
        '-t --table',
        '-n --schema',
        '-F --format',
        '-j --jobs',
        '-Z --compress',
        '-T --exclude-table',
      ),
      ...takes('write-tree', '-f --file'),
      ...hostOption,
    ],
    operands: each('text'),
    refine: connects('-h', '--host'),
  }),
  tool('mysqldump', {
    options: [
      ...flags('--no-data', '--all-databases', '--single-transaction', '--quick', '--routines', '--triggers'),
      ...maybe('text', '-p --password'),
      ...takes('text', '-u --user', '-P --port'),
      ...hostOption,
      ...takes('write', '-r --result-file'),
      ...takes('write-tree', '-T --tab'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`--defaults-file` can load plugins'),
        '--defaults-file',
        '--plugin-dir',
      ),
    ],
    operands: each('text'),
    refine: connects('-h', '--host'),
  }),
];

const mysql = tool('mysql mariadb', {
  options: [
    ...flags(
      '-B --batch',
      '-N --skip-column-names',
      '-s --silent',
      '-t --table',
      '-v --verbose',
      '-E --vertical',
      '-H --html',
      '-X --xml',
      '-V --version',
      '-? --help',
      '-f --force',
      '-n --unbuffered',
    ),
    ...maybe('text', '-p --password'),
    ...takes(
      'text',
      '-u --user',
      '-P --port',
      '-D --database',
      '-e --execute',
      '--protocol',
      '--ssl-mode',
      '--default-character-set',
    ),
    ...hostOption,
    ...takes('program', '--pager'),
    ...takes('write', '--tee'),
    ...takes('read', '-S --socket'),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--defaults-file` and `--plugin-dir` can load plugins'),
      '--defaults-file',
      '--defaults-extra-file',
      '--plugin-dir',
      '--init-command',
    ),
  ],
  operands: each('text'),
  refine: (parsed) => {
    const statements = valuesOf(parsed, '-e', '--execute');
    return {
      ...connects('-h', '--host')(parsed),
      opaque: [
        ...statements.flatMap((word) =>
          sql(
            word,
            /\\[!.TPd]|(?:^|;|\n)[^\S\n]*(?:system|source|tee|pager|edit|delimiter)\b|\boutfile\b|\bdumpfile\b|\binfile\b|load_file|plugin|create\s+function/iu,
          ),
        ),
        ...(statements.length > 0 ? [] : fromInput(parsed, '`\\!`')),
      ],
    };
  },
});

const redis = tool('redis-cli valkey-cli', {
  grammar: 'getopt-posix',
  options: [
    ...flags(
      '--raw',
      '--no-raw',
      '--csv',
      '--json',
      '--stat',
      '--scan',
      '--bigkeys',
      '--memkeys',
      '--latency',
      '--tls',
      '--no-auth-warning',
      '-c',
      '-x',
      '--version',
      '--help',
      '-3',
      '-2',
    ),
    ...takes('text', '-p', '-a --pass', '-n', '--user', '--pattern', '-r', '-i', '-d', '-t'),
    ...takes('host', '-h'),
    ...takes('url', '-u'),
    ...takes('read', '--cacert', '--cert', '--key'),
    ...takes('code-file', '--eval'),
    ...takes('write', '--rdb', '--functions-rdb'),
    ...warns(opaqueEffect('stdin-code', '`--pipe` takes commands from its input'), '--pipe'),
  ],
  operands: each('text'),
  refine: (parsed) => {
    const verb = plainText(parsed.operands[0])?.toLowerCase();
    const known = [
      'get',
      'mget',
      'ping',
      'keys',
      'scan',
      'info',
      'dbsize',
      'ttl',
      'type',
      'exists',
      'hget',
      'hgetall',
      'lrange',
      'smembers',
      'zrange',
      'llen',
      'strlen',
    ];
    return {
      ...connects('-h', '-u')(parsed),
      opaque:
        verb !== undefined && known.includes(verb)
          ? []
          : [
              {
                kind: 'inline-code',
                message: 'a command of the server that is not known only to read',
                span: parsed.operands[0]?.span ?? noSpan,
              },
            ],
    };
  },
});

const scripted: readonly ToolSpec[] = [
  tool('mongosh mongo', {
    options: [
      ...flags('--quiet', '--norc', '--nodb', '--version', '--help', '--tls', '--json'),
      ...takes('code', '--eval'),
      ...takes('text', '-u --username', '-p --password', '--port', '--authenticationDatabase'),
      ...takes('host', '--host'),
      ...takes('code-file', '-f --file'),
    ],
    operands: each('text'),
    always: [opaqueEffect('inline-code', 'runs JavaScript that is given or typed')],
    refine: connects('--host'),
  }),
  tool('duckdb clickhouse-client cqlsh sqlplus sqlcmd bq', {
    options: flags('--version', '--help'),
    operands: each('text'),
    always: [writes('.'), opaqueEffect('inline-code', 'takes statements that can run programs or reach files')],
    refine: connects(),
  }),
];

const databaseTools: readonly ToolSpec[] = [sqlite, psql, ...dumps, mysql, redis, ...scripted];

export const editorsTools: readonly ToolSpec[] = [...editorTools, ...databaseTools];

/**
 * SQL reads and changes data, and runs nothing on this machine, unless it begins with a command of the client itself.
 */
function sql(word: Word, escapes: RegExp) {
  const text = plainText(word);
  if (text !== undefined && !escapes.test(text)) return [];
  return [
    {
      kind: 'inline-code' as const,
      message: `\`${wordAsTyped(word)}\` can run a program or read and write files`,
      span: word.span,
    },
  ];
}
