/**
 * `holdfast policy`: one file per subcommand. Each reads options, asks the policy room and prints; what a policy means is
 * decided there.
 */
import { HoldfastError } from '../../errors/index.ts';
import type { Command, CommandInput } from '../command.ts';
import { checkPolicies } from './check.ts';
import { explainPolicy } from './explain.ts';
import { importPolicies } from './import.ts';
import { initPolicy } from './init.ts';
import { printSchema } from './schema.ts';
import { showPolicy } from './show.ts';
import { testPolicies } from './test.ts';

const usage = `usage: holdfast policy check [FILE] [--json]
       holdfast policy show [--json]
       holdfast policy explain --path PATH [--write] | --host HOST[:PORT] | --env NAME | --socket PATH | --registry KEY [--write] [--json]
       holdfast policy explain [--why-not] [--json] -- COMMAND
       holdfast policy test [FILE] [--json]
       holdfast policy init [--json]
       holdfast policy schema [--json]
       holdfast policy import claude|codex|gemini|agentsh FILE [--output FILE] [--json]

check:   every problem of FILE, or of every policy that holds here; exits with 1 when there is one.
show:    the policy in force, each line with where it comes from.
explain: what each layer says to a request, and everything that would be needed to allow it. Of a command: the tree of what it
         would start, read, write and reach, what is decided about each part, and what stands in its way; nothing of it runs.
         One word is read as a shell would read it: 'git add . && git push'. --why-not: only what stands in the way.
test:    the examples of all rules, tried; exits with 1 when one comes out otherwise.
init:    writes a commented holdfast.toml at the top of the workspace; never overwrites one.
schema:  the policy language as JSON Schema, for editors; with --json and without.
import:  the rules of another tool as a policy of yours, on standard output or in a new file; what could not be carried over, and
         why, on standard error. Nothing that the source refuses is allowed by it.

FILE is taken for a project policy when it is called holdfast.toml, and for a user policy otherwise.
--workspace DIR names another workspace than the one around the working directory.`;

export const policyCommand: Command = {
  name: 'policy',
  summary: 'check, show, explain, test and create policies',
  usage,
  options: {
    workspace: { type: 'string' },
    path: { type: 'string', multiple: true },
    write: { type: 'boolean' },
    host: { type: 'string', multiple: true },
    env: { type: 'string', multiple: true },
    socket: { type: 'string', multiple: true },
    registry: { type: 'string', multiple: true },
    'why-not': { type: 'boolean' },
    output: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const subcommand = subcommands.get(name);
    if (subcommand === undefined) throw new HoldfastError('HF_USAGE', `expected ${[...subcommands.keys()].join(', ')}, got ${JSON.stringify(name)}`, { remedy: 'see `holdfast policy --help`' });
    if (words.length > mostWords[subcommand.file]) throw new HoldfastError('HF_USAGE', `${JSON.stringify(words.at(-1))} is one word too many for policy ${name}`, { remedy: 'see `holdfast policy --help`' });
    return subcommand.run(input, words[0], words[1]);
  },
};

interface Subcommand {
  readonly file: 'optional' | 'none' | 'of-a-tool';
  readonly run: (input: CommandInput, first: string | undefined, second: string | undefined) => number | Promise<number>;
}

const mostWords: Readonly<Record<Subcommand['file'], number>> = { none: 0, optional: 1, 'of-a-tool': 2 };

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['check', { file: 'optional', run: checkPolicies }],
  ['show', { file: 'none', run: showPolicy }],
  ['explain', { file: 'none', run: explainPolicy }],
  ['test', { file: 'optional', run: testPolicies }],
  ['init', { file: 'none', run: initPolicy }],
  ['import', { file: 'of-a-tool', run: importPolicies }],
  ['schema', { file: 'none', run: printSchema }],
]);
