/**
 * Programs that query the machine and the network about processes, programs and names. Data and pure refinements only.
 */
import type { HostEffect, Opacity, Word } from '../../types.ts';
import { hostOf } from '../hosts.ts';
import { each, flags, inOrder, none, takes, tool, unknownHost } from '../notation.ts';
import type { OptionSpec, Refine, Refinement, ToolSpec } from '../types.ts';
import { mayBeOption, wordAsTyped, plainText } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

/** It reads only the system's facts about processes, in all three dialects of its options. */
const ps = tool('ps', { grammar: 'words', operands: each('text') });

/** On a terminal it reads keys, and its settings may bind commands to them. */
const onlyBatch: Refine = ({ options }) =>
  hasOption({ options }, '-b')
    ? {}
    : {
        opaque: [
          {
            kind: 'inline-code',
            message: '`top` without `-b` takes typed commands',
            span: { start: 0, end: 0 },
          },
        ],
      };

const top = tool('top', {
  operands: none,
  options: [
    ...flags(
      '-b --batch-mode',
      '-c --cmdline-toggle',
      '-H --threads-show',
      '-i --idle-toggle',
      '-O --list-fields',
      '-S --accum-time-toggle',
      '-s --secure-mode',
      '-1 --single-cpu-toggle',
      '-h --help',
      '-V --version',
    ),
    ...takes(
      'text',
      '-d --delay',
      '-E --scale-summary-mem',
      '-e --scale-task-mem',
      '-n --iterations',
      '-o --sort-override',
      '-p --pid',
      '-U --filter-any-user',
      '-u --filter-only-euser',
    ),
  ],
  refine: onlyBatch,
});

const matching: readonly OptionSpec[] = [
  ...flags(
    '-c --count',
    '-f --full',
    '-i --ignore-case',
    '-n --newest',
    '-o --oldest',
    '-x --exact',
    '-L --logpidfile',
    '-A --ignore-ancestors',
    '-h --help',
    '-V --version',
  ),
  ...takes(
    'text',
    '-g --pgroup',
    '-G --group',
    '-O --older',
    '-P --parent',
    '-s --session',
    '-t --terminal',
    '-u --euid',
    '-U --uid',
    '-r --runstates',
    '--cgroup',
    '--ns',
    '--nslist',
  ),
  ...takes('read', '-F --pidfile'),
];

const pgrep = tool('pgrep', {
  operands: inOrder(['text']),
  options: [
    ...matching,
    ...flags('-l --list-name', '-a --list-full', '-v --inverse', '-w --lightweight'),
    ...takes('text', '-d --delimiter'),
  ],
});

const pidof = tool('pidof', { operands: each('text'), options: flags('-s', '-c', '-x', '-q') });

/** Signals come first, as names or numbers. `-NAME` is a signal too. */
const signals: Refine = ({ operands }) => ({
  opaque: operands
    .filter(
      (word) =>
        word.kind === 'static' &&
        word.value.startsWith('-') &&
        !/^-(?:\d+|(?:SIG)?[A-Z][A-Z\d+-]*|[lLsn]|-)$/u.test(word.value),
    )
    .map((word) => ({
      kind: 'unknown-option',
      message: `\`${wordAsTyped(word)}\` is no signal that is known`,
      span: word.span,
    })),
});

const kill = tool('kill', { grammar: 'words', operands: each('text'), refine: signals });

const signalNames = flags(
  ...'HUP INT QUIT KILL TERM USR1 USR2 STOP CONT'.split(' ').map((name) => `-${name} -SIG${name}`),
);

const pkill = tool('pkill', {
  operands: inOrder(['text']),
  options: [...matching, ...signalNames, ...flags('-#', '-e --echo'), ...takes('text', '--signal', '-q --queue')],
});

const killall = tool('killall', {
  operands: each('text'),
  options: [
    ...signalNames,
    ...flags(
      '-#',
      '-e --exact',
      '-I --ignore-case',
      '-i --interactive',
      '-q --quiet',
      '-r --regexp',
      '-v --verbose',
      '-w --wait',
    ),
    ...takes('text', '-s --signal', '-u --user', '-y --younger-than', '-o --older-than'),
  ],
});

const free = tool('free', {
  operands: none,
  options: [
    ...flags(
      '-b --bytes',
      '--kilo',
      '--mega',
      '--giga',
      '--tera',
      '--peta',
      '-k --kibi',
      '-m --mebi',
      '-g --gibi',
      '--tebi',
      '--pebi',
      '-h --human',
      '--si',
      '-l --lohi',
      '-t --total',
      '-w --wide',
      '-v --committed',
      '--help',
      '-V --version',
    ),
    ...takes('text', '-s --seconds', '-c --count'),
  ],
});

const w = tool('w', {
  operands: inOrder(['text']),
  options: flags(
    '-h --no-header',
    '-u --no-current',
    '-s --short',
    '-f --from',
    '-o --old-style',
    '-i --ip-addr',
    '--help',
    '-V --version',
  ),
});

const which = tool('which', { operands: each('text'), options: flags('-a') });

const whereis = tool('whereis', {
  grammar: 'long',
  operands: each('text'),
  options: flags('-b', '-m', '-s', '-u', '-l', '-h', '--help', '-V', '--version'),
});

const processTools: readonly ToolSpec[] = [ps, top, pgrep, pidof, kill, pkill, killall, free, w, which, whereis];

/*
 * Looking up a name reaches the servers of its domain, so the domain's owner reads it. So every name is a host, and an
 * unknown name is never harmless.
 */
const ping = tool('ping ping4 ping6', {
  operands: each('host'),
  options: [
    ...flags('-4', '-6', '-a', '-A', '-b', '-B', '-D', '-f', '-L', '-n', '-O', '-q', '-R', '-U', '-v', '-V'),
    ...takes('text', '-c', '-i', '-I', '-l', '-m', '-M', '-p', '-Q', '-s', '-S', '-t', '-T', '-w', '-W'),
  ],
});

const traceroute = tool('traceroute traceroute6 tracepath', {
  operands: inOrder(['host', 'text']),
  options: [
    ...flags('-4', '-6', '-F', '-I', '-T', '-U', '-n', '-r', '-d', '-V'),
    ...takes('text', '-f', '-m', '-N', '-p', '-q', '-w', '-z', '-t', '-l'),
  ],
});

const host = tool('host', {
  operands: each('host'),
  options: [
    ...flags('-a', '-C', '-d', '-i', '-l', '-r', '-s', '-T', '-U', '-v', '-V', '-w', '-4', '-6'),
    ...takes('text', '-c', '-N', '-R', '-t', '-W'),
  ],
});

const whois = tool('whois', {
  operands: each('host'),
  options: [
    ...flags('-H', '--verbose', '--help', '--version'),
    ...takes('host', '-h --host'),
    ...takes('text', '-p --port'),
  ],
});

/** Every word that is not an option, a type or a class is a name. */
const looksUp: Refine = ({ operands: words }) => {
  const found: { readonly hosts: HostEffect[]; readonly opaque: Opacity[] } = { hosts: [], opaque: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const text = plainText(word);
    if (text !== undefined && /^-[ptcyb]$/u.test(text)) at++;
    else if (text === '-x' || text === '-q') continue;
    else if (
      text !== undefined &&
      /^(?:-[46mruvi]|\+[\w=.-]+|-(?:type|query|class|port|timeout|retry|debug|nodebug|norecurse|recurse)(?:=[\w.-]+)?|-[pt]\w+)$/u.test(
        text,
      )
    )
      continue;
    else if (
      text !== undefined &&
      /^(?:a|aaaa|any|axfr|caa|cname|ds|dnskey|mx|ns|nsec|ptr|soa|spf|srv|tlsa|txt|in|ch|hs)$/iu.test(text)
    )
      continue;
    else noteName(found, word);
  }
  const isQuestion = found.hosts.length > 0 || words.some((word) => /^-[hvV]$/u.test(wordAsTyped(word)));
  return isQuestion ? found : { ...found, hosts: [unknownHost('the name server that the configuration names')] };
};

const dig = tool('dig delv', { grammar: 'words', operands: each('text'), refine: looksUp });

const nslookup = tool('nslookup', { grammar: 'words', operands: each('text'), refine: looksUp });

/** Databases of hosts are queried over the network; the others are files. */
const asksDatabase: Refine = ({ operands: [database, ...keys] }): Refinement => {
  if (database === undefined) return {};
  const text = plainText(database);
  if (text === undefined)
    return {
      opaque: [
        {
          kind: 'dynamic-word',
          message: `\`${wordAsTyped(database)}\` of \`getent\` is not known`,
          span: database.span,
        },
      ],
    };
  if (!/^(?:hosts|ahosts|ahostsv4|ahostsv6|networks)$/u.test(text)) return {};
  const found = { hosts: [] as HostEffect[], opaque: [] as Opacity[] };
  for (const key of keys) noteName(found, key);
  return found;
};

const getent = tool('getent', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags('-i --no-idn', '-? --help', '-V --version'), ...takes('text', '-s --service')],
  refine: asksDatabase,
});

const dnsTools: readonly ToolSpec[] = [ping, traceroute, host, whois, dig, nslookup, getent];

export const machineTools: readonly ToolSpec[] = [...processTools, ...dnsTools];

function noteName(found: { readonly hosts: HostEffect[]; readonly opaque: Opacity[] }, word: Word): void {
  const text = plainText(word);
  const isOption = mayBeOption(word) && text !== undefined;
  if (isOption) {
    found.opaque.push({
      kind: 'unknown-option',
      message: `\`${wordAsTyped(word)}\` is no option that is known`,
      span: word.span,
    });
    return;
  }
  const effect =
    text === undefined
      ? { host: undefined, port: undefined, text: wordAsTyped(word) }
      : { ...hostOf(text.replace(/^@/u, '').replace(/\.$/u, '')), text };
  found.hosts.push(effect);
  if (effect.host === undefined)
    found.opaque.push({
      kind: 'dynamic-word',
      message: `\`${wordAsTyped(word)}\` names no host that is known before it runs`,
      span: word.span,
    });
}
