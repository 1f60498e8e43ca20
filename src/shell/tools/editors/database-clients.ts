import {
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
import type { Word } from '../../types.ts';
import { hasOption } from '../parsed-options.ts';
import type { RefineContext, ToolSpec } from '../types.ts';
import { plainText } from '../words.ts';
import { reachesConfiguredServer, codeFromInput, hostOption, sql } from './database-options.ts';
import { dumps, psql } from './postgres.ts';
import { optionValues } from '../parsed-options.ts';

/**
 * `.shell`, `.import '|cmd'`, `.output '|cmd'`, `.load`, and the functions that do the same. A comment may follow the name
 * of a function, and quotes may surround it.
 */
const dots =
  /(?:^|\n)[^\S\n]*\.|load_extension|writefile|readfile|\bedit\b|\battach\b|\bvacuum\b[^;]*\binto\b|fts3_tokenizer|\bzipfile\b/iu;

/** Commands of the client that only show. Their arguments are plain words, so that none is a command or a file. */
const shown =
  /^\.(?:tables|schema|fullschema|indexes|indices|databases|dbinfo|dump|show|stats|help|version|headers?|mode|nullvalue|width|timer|eqp|lint|sha3sum)(?: [\w%*.,-]+)*;?$/u;

/** Questions, and none of the words that change something, even within a string. */
const asked =
  /^\s*(?:select|values|explain|with|pragma\s+(?:\w+\.)?(?:(?:table_x?info|table_list|index_x?info|index_list|foreign_key_list|database_list|compile_options|function_list|integrity_check|quick_check|foreign_key_check)\b|(?:user_version|schema_version|application_id|encoding|page_size|page_count|freelist_count|journal_mode|foreign_keys|auto_vacuum)\s*;?\s*$))/iu;
/** A comment may precede a second pragma. */
const changes =
  /\b(?:insert|update|delete|replace|create|drop|alter|reindex|vacuum|analyze|begin|savepoint|attach|detach)\b|(?<!^\s*)\bpragma\b|;\s*\./iu;

const isShown = (word: Word): boolean => shown.test(plainText(word) ?? '');

const onlyReads = (word: Word): boolean => {
  const text = plainText(word) ?? '';
  return isShown(word) || (asked.test(text) && !changes.test(text));
};

const written = (file: Word | undefined, path: RefineContext['path']) =>
  file === undefined ? [] : [path(file, 'write', 'file')];

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
      opaqueEffect('inline-code', '`-A` is an archiver, `-interactive` runs typed commands'),
      '-A',
      '-interactive',
      '-append',
      '-zip',
    ),
    ...warnsTaking(opaqueEffect('inline-code', '`-vfs` names how files are reached'), '-vfs'),
  ],
  operands: inOrder(['text'], 'text'),
  refine: (parsed, { path }) => {
    const [file, ...statements] = parsed.operands;
    if (file === undefined || statements.length === 0)
      return parsed.options.some(({ spelled }) => /^--?(?:version|help)$/u.test(spelled))
        ? {}
        : { writes: written(file, path), opaque: codeFromInput(parsed, '`.shell`') };
    const isRead = hasOption(parsed, '-readonly', '--readonly') || statements.every(onlyReads);
    return {
      ...(isRead ? { reads: [path(file, 'read', 'file')] } : { writes: written(file, path) }),
      opaque: statements.flatMap((word) => (isShown(word) ? [] : sql(word, dots))),
    };
  },
});

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
    const statements = optionValues(parsed, '-e', '--execute');
    return {
      ...reachesConfiguredServer('-h', '--host')(parsed),
      opaque: [
        ...statements.flatMap((word) =>
          sql(
            word,
            /\\[!.TPde]|(?:^|;|\n)[^\S\n]*(?:system|source|tee|pager|edit|delimiter)\b|\boutfile\b|\bdumpfile\b|\binfile\b|load_file|plugin|create\s+function/iu,
          ),
        ),
        ...(statements.length > 0 ? [] : codeFromInput(parsed, '`\\!`')),
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
      ...reachesConfiguredServer('-h', '-u')(parsed),
      opaque:
        verb !== undefined && known.includes(verb)
          ? []
          : [
              {
                kind: 'inline-code',
                message: 'a command of the server that is not known only to read',
                span: parsed.operands[0]?.span ?? noSpan,
                ...(/^flush(?:all|db)$/u.test(verb ?? '') ? { atMost: 'destroys' as const } : {}),
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
    refine: reachesConfiguredServer('--host'),
  }),
  tool('duckdb clickhouse-client cqlsh sqlplus sqlcmd bq', {
    options: flags('--version', '--help'),
    operands: each('text'),
    always: [writes('.'), opaqueEffect('inline-code', 'takes statements that can run programs or reach files')],
    refine: reachesConfiguredServer(),
  }),
];

export const databaseTools: readonly ToolSpec[] = [sqlite, psql, ...dumps, mysql, redis, ...scripted];
