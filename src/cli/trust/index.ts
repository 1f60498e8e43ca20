/**
 * `holdfast trust`: one file per subcommand. The trust room knows a repository's files and their approvals. Here people
 * see them and are asked.
 */
import { visibleName } from '../../staged/diff/visible-text.ts';
import type { SignTone } from '../../text/signs.ts';
import { readTrust } from '../../trust/store/read-trust.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { namedAction, usageError } from '../usage-error.ts';
import { type Look, lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { kindText, stateWord } from './diff.ts';
import { isApproved, isAtRest, type TrustRow } from './select-rows.ts';
import { trustPlace, type WorkspaceTrust, workspaceTrust } from './workspace-trust.ts';

const usage = `usage: holdfast trust [status] [--json]
       holdfast trust diff [PATH…] [--json]
       holdfast trust add [PATH…] [--level session|always] [--yes (--sha256 PATH=HASH… | --from FILE)] [--json]
       holdfast trust list [--json]
       holdfast trust remove PATH… | --all [--json]
       holdfast trust import FILE [--yes --from FILE] [--json]
       holdfast trust keys add NAME FILE | keys add NAME --identity ID --issuer URL --trusted-root FILE [--json]
       holdfast trust keys list | keys remove NAME [--json]

status: lists the files of this repository that could execute, redirect or speak to an agent, and their approvals.
        Exits with 1 if a file is withheld or has changed since its approval.
diff:   shows the executable fields, scripts and texts that differ from the approved ones.
add:    shows unapproved content and asks once, at the terminal. Boxes that start from then on have these bytes.
        Without PATH it asks only about files that need an approval.
list:   lists the approved files with their hashes.
remove: withdraws approvals.
import: reads a trust file of Consilium, shows the content of the directories that it names, and asks about it.
keys:   lists, adds and removes trusted signers. \`trust add\` asks nothing about a file that one of them signed: it needs
        FILE.minisig, FILE.sig or FILE.sigstore.json beside it.

  --workspace DIR   the repository (default: top of the git work tree, or the working directory)
  --level LEVEL     session: until you log out, if there is an XDG_RUNTIME_DIR; always: until the file changes
                    (default: Holdfast asks)
  --yes             ask nothing: approve only signed files and files whose hashes were given
  --sha256 PATH=HASH  a file or script that you reviewed, and its SHA-256   (repeatable)
  --from FILE       the same for all files in the output of \`trust status --json\` or \`trust list --json\``;

export const trustCommand: Command = {
  name: 'trust',
  usage,
  options: {
    workspace: { type: 'string' },
    level: { type: 'string' },
    yes: { type: 'boolean' },
    sha256: { type: 'string', multiple: true },
    from: { type: 'string' },
    all: { type: 'boolean' },
    identity: { type: 'string' },
    issuer: { type: 'string' },
    'trusted-root': { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'status',
  async run(input) {
    const [verb = '', ...words] = input.positionals;
    const subcommand = namedAction('trust', subcommands, verb);
    if (subcommand.takes === 'nothing' && words.length > 0)
      throw usageError('trust', `trust ${verb} takes no ${JSON.stringify(words[0])}`);
    return subcommand.run(input, words);
  },
};

interface Subcommand {
  readonly takes: 'nothing' | 'words';
  readonly run: (input: CommandInput, words: readonly string[]) => number | Promise<number>;
}

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['status', { takes: 'nothing', run: trustStatusCommand }],
  [
    'diff',
    {
      takes: 'words',
      run: async (input, words) => (await import('./trust-changes.ts')).trustDiffCommand(input, words),
    },
  ],
  [
    'add',
    { takes: 'words', run: async (input, words) => (await import('./trust-changes.ts')).trustAddCommand(input, words) },
  ],
  ['list', { takes: 'nothing', run: trustListCommand }],
  [
    'remove',
    {
      takes: 'words',
      run: async (input, words) => (await import('./trust-changes.ts')).trustRemoveCommand(input, words),
    },
  ],
  [
    'import',
    {
      takes: 'words',
      run: async (input, words) => (await import('./trust-changes.ts')).trustImportCommand(input, words),
    },
  ],
  [
    'keys',
    {
      takes: 'words',
      run: async (input, words) => (await import('./trust-keys.ts')).trustKeysCommand(trustPlace(input), input, words),
    },
  ],
]);

/** `holdfast trust list`: lists approvals, without reading the repository. */
function trustListCommand(input: CommandInput): number {
  const { root, paths } = trustPlace(input);
  const { entries } = readTrust(paths, root);
  if (isSet(input.values['json'])) {
    input.io.stdout.write(jsonText({ workspace: root, entries }));
    return 0;
  }
  input.io.stdout.write(
    entries.length === 0
      ? 'No approvals yet. List the files that need one: holdfast trust status\n'
      : terminalTable(entries, listColumns, lookOf(input.io)),
  );
  return 0;
}

const listColumns: readonly TableColumn<ReturnType<typeof readTrust>['entries'][number]>[] = [
  { head: 'LEVEL', of: ({ level }) => level, least: 7 },
  { head: 'APPROVED', of: ({ approvedAt }) => approvedAt.slice(0, 10) },
  { head: 'SHA256', of: ({ sha256 }) => sha256.slice(0, 12) },
  { head: 'PATH', of: ({ path }) => visibleName(Buffer.from(path)), cut: 'start' },
];

/** `holdfast trust status`: exits with 1 if a file is unapproved in its current form. */
async function trustStatusCommand(input: CommandInput): Promise<number> {
  const trust = await workspaceTrust(input, { ...trustPlace(input), look: 'remembered' });
  const { root, discovery, rows } = trust;
  if (isSet(input.values['json']))
    input.io.stdout.write(
      jsonText({ workspace: root, looked: discovery.looked, problems: discovery.problems, files: rows.map(rowJson) }),
    );
  else input.io.stdout.write(statusText(trust, lookOf(input.io)));
  return rows.every((row) => row.state === 'gone' || isApproved(row) || isAtRest(row)) ? 0 : 1;
}

function statusText({ root, discovery, rows }: WorkspaceTrust, look: Look): string {
  const resting = rows.filter(isAtRest);
  const open = rows.filter((row) => !isApproved(row) && !isAtRest(row));
  const count = safeText(
    `${root}: ${rows.length - open.length - resting.length} approved, ${open.length} not approved`,
  );
  const rest = [
    ...(resting.length === 0 ? [] : [restingText(resting)]),
    ...discovery.problems.map((problem) => `not looked at: ${problem}`),
    ...(open.some(({ state }) => state !== 'gone')
      ? ['see `holdfast trust diff` for their effects, `holdfast trust add` to approve them']
      : []),
    '',
  ].join('\n');
  const table = open.length === 0 ? '' : terminalTable(open, statusColumns, { ...look, indent: '  ' });
  return `${count}\n${table}${safeText(rest)}`;
}

const statusColumns: readonly TableColumn<TrustRow>[] = [
  { head: 'STATE', of: stateWord, tone: toneOf, least: 7 },
  { head: 'PATH', of: ({ path }) => visibleName(Buffer.from(path)), cut: 'start' },
  { head: 'KIND', of: ({ found }) => (found === undefined ? '' : kindText(found)), cut: 'end' },
];

function toneOf(row: TrustRow): SignTone {
  if (row.rule?.says === 'refused') return 'refused';
  return row.state === 'gone' ? 'plain' : 'waiting';
}

const mostResting = 3;

/** One line for all of them: they need no approval. */
function restingText(rows: readonly TrustRow[]): string {
  const names = rows.slice(0, mostResting).map(({ path }) => visibleName(Buffer.from(path)));
  const more = rows.length > mostResting ? ` and ${rows.length - mostResting} more` : '';
  return `no approval needed, as these run only when someone starts them: ${names.join(', ')}${more}`;
}

/** Returns a file for `--json`. `holdfast trust add --from` reads `path`, `sha256` and `scripts` of it. */
function rowJson(row: TrustRow): unknown {
  const { path, state, rule, signer, found, entry } = row;
  const { sha256, surface, fields, scripts } = found ?? {
    sha256: entry?.sha256,
    surface: undefined,
    fields: entry?.fields,
    scripts: entry?.scripts,
  };
  return {
    path,
    state,
    approved: isApproved(row),
    ...(rule === undefined ? {} : { rule }),
    ...(signer === undefined ? {} : { signer }),
    sha256,
    surface: surface?.name ?? entry?.surface,
    ...(surface === undefined ? {} : { kind: surface.kind, clients: surface.clients, gate: surface.gate }),
    ...(found === undefined ? {} : { size: found.size }),
    ...(found?.problem === undefined ? {} : { problem: found.problem }),
    ...(entry === undefined ? {} : { approvedAt: entry.approvedAt, level: entry.level }),
    fields,
    scripts,
  };
}
