/**
 * `holdfast trust`: one file per subcommand. What a repository holds and what was approved of it, the trust room knows; here
 * people are shown it and asked.
 */
import { HoldfastError } from '../../errors/index.ts';
import type { Command, CommandInput } from '../command.ts';
import { trustListCommand } from './list.ts';
import { trustStatusCommand } from './status.ts';
import { trustPlace } from './workspace-trust.ts';

const usage = `usage: holdfast trust status [--json]
       holdfast trust diff [PATH…] [--json]
       holdfast trust add [PATH…] [--level session|always] [--yes (--sha256 PATH=HASH… | --from FILE)] [--json]
       holdfast trust list [--json]
       holdfast trust remove PATH… | --all [--json]
       holdfast trust import FILE [--yes --from FILE] [--json]
       holdfast trust keys add NAME FILE | keys add NAME --identity ID --issuer URL --trusted-root FILE [--json]
       holdfast trust keys list | keys remove NAME [--json]

status: what of this repository could execute, redirect or speak to an agent, and whether it is what was approved. Exits with 1
        when something is not.
diff:   which of its executable fields, scripts and texts are not what was approved.
add:    shows what is not approved and asks once, at the terminal. Boxes that start from then on have these bytes.
list:   what was approved, with hashes.
remove: takes approvals back.
import: shows what is in the directories that a trust file of Consilium names, and asks about it.
keys:   whose signatures count here. What lies signed beside its FILE.minisig, FILE.sig or FILE.sigstore.json, \`add\` approves
        without a question.

  --workspace DIR   the repository (default: top of the git work tree, or the working directory)
  --level LEVEL     session: until you log out, if there is an XDG_RUNTIME_DIR; always: until the file changes (default: you are asked)
  --yes             ask nothing: approve what is signed and files whose hashes were given, and nothing else
  --sha256 PATH=HASH  a file or script that was seen, and its SHA-256   (repeatable)
  --from FILE       the same for all that \`trust status --json\` or \`trust list --json\` printed`;

export const trustCommand: Command = {
  name: 'trust',
  summary: 'show and approve what a repository brings that could execute',
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
  async run(input) {
    const [verb = '', ...words] = input.positionals;
    const subcommand = subcommands.get(verb);
    if (subcommand === undefined) throw new HoldfastError('HF_USAGE', `expected ${[...subcommands.keys()].join(', ')}, got ${JSON.stringify(verb)}`, { remedy: 'see `holdfast trust --help`' });
    if (subcommand.takes === 'nothing' && words.length > 0) throw new HoldfastError('HF_USAGE', `trust ${verb} takes no ${JSON.stringify(words[0])}`, { remedy: 'see `holdfast trust --help`' });
    return subcommand.run(input, words);
  },
};

interface Subcommand {
  readonly takes: 'nothing' | 'words';
  readonly run: (input: CommandInput, words: readonly string[]) => number | Promise<number>;
}

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['status', { takes: 'nothing', run: trustStatusCommand }],
  ['diff', { takes: 'words', run: async (input, words) => (await import('./trust-changes.ts')).trustDiffCommand(input, words) }],
  ['add', { takes: 'words', run: async (input, words) => (await import('./trust-changes.ts')).trustAddCommand(input, words) }],
  ['list', { takes: 'nothing', run: trustListCommand }],
  ['remove', { takes: 'words', run: async (input, words) => (await import('./trust-changes.ts')).trustRemoveCommand(input, words) }],
  ['import', { takes: 'words', run: async (input, words) => (await import('./trust-changes.ts')).trustImportCommand(input, words) }],
  ['keys', { takes: 'words', run: async (input, words) => (await import('./trust-keys.ts')).trustKeysCommand(trustPlace(input), input, words) }],
]);
