import type { DescribedCommand } from '../load-commands.ts';

/** `holdfast(1)` in the man macros of groff and mandoc, from the `--help` texts. */
export function manPage(commands: readonly DescribedCommand[], version: string): string {
  return [
    `.TH HOLDFAST 1 "" "holdfast ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    'holdfast \\- a sandbox and defence in depth for AI coding agents',
    '.SH SYNOPSIS',
    '.B holdfast',
    '.I COMMAND',
    '[\\fIOPTIONS\\fR]',
    '.SH DESCRIPTION',
    'Runs a coding agent, or any command, inside a sandbox that the kernel enforces: a box. A policy file grants what the box may read, write,',
    'reach and start.',
    '.B holdfast why',
    'explains each refusal and names its rule.',
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH EXIT STATUS',
    ...statuses.flatMap(([status, meaning]) => ['.TP', `.B ${status}`, meaning]),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, meaning]),
    '.SH FILES',
    ...files.flatMap(([path, meaning]) => ['.TP', `.I ${escaped(path)}`, meaning]),
    '.SH SEE ALSO',
    '.BR bwrap (1),',
    '.BR landlock (7),',
    '.BR seccomp (2),',
    '.BR namespaces (7)',
    '',
  ].join('\n');
}

function section({ name, summary, usage }: DescribedCommand): readonly string[] {
  return [`.SS "${escaped(name)}"`, `${escaped(summary)}.`, '.PP', '.nf', ...usage.split('\n').map(line), '.fi'];
}

/** roff reads an empty line, and a line that begins with a dot or an apostrophe, differently. */
function line(text: string): string {
  return text === '' ? '.sp' : `${/^['.]/u.test(text) ? '\\&' : ''}${escaped(text)}`;
}

function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('…', '...');
  // The page writes non-ASCII characters by their code point.
  return plain.replaceAll(
    /[^\n\u0020-\u007E]/gu,
    (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

type Row = readonly [name: string, meaning: string];

const statuses: readonly Row[] = [
  ['0', 'what was asked for was done; of \\fBrun\\fR, the command ended so'],
  ['1', 'there is something to look at: a problem, a refusal, a difference; the text of each command says which'],
  ['125', 'Holdfast itself could not do it, and says what to put right'],
  ['126, 127', 'the command could not be started, or was not found'],
  ['128+n', 'signal n ended the command'],
];

const variables: readonly Row[] = [
  ['NO_COLOR', 'no colours, also on a terminal'],
  ['PAGER', 'shows what is longer than the terminal'],
  [
    'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR',
    'where the files below are, by the XDG base directory specification',
  ],
];

const files: readonly Row[] = [
  ['~/.config/holdfast/policy.toml', 'the policy of the user'],
  ['/etc/holdfast/policy.toml', 'the policy of the machine'],
  ['holdfast.toml', 'the policy of a project, which can only narrow the others'],
  [
    '~/.local/state/holdfast',
    'the journal, staged layers, checkpoints, trash and what was approved; no box ever sees it',
  ],
];
