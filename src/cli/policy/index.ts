/**
 * `holdfast policy`: one file per subcommand. Each reads options, asks the policy room and prints. The policy room
 * decides the meaning of a policy.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import schema from '../../../docs/policy.schema.json' with { type: 'json' };
import type { Imported, ImportSource } from '../../agents/import/import-policy.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { type ExampleResult, tryExamples } from '../../policy/document/examples.ts';
import { parsePolicy } from '../../policy/document/parse.ts';
import type { Problem } from '../../policy/document/problem.ts';
import { inertRules } from '../../policy/inert-rules.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { type PolicyText, readPolicyText } from '../../place/policy-texts.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText, optionText } from '../command.ts';
import { namedAction, usageError } from '../usage-error.ts';
import { explainPolicy, commandPlace, policySources } from './explain.ts';
import { initPolicy } from './init.ts';
import { showPolicy } from './show.ts';

const usage = `usage: holdfast policy check [FILE] [--json]
       holdfast policy [show] [--all] [--json]
       holdfast policy explain --path PATH [--write] | --host HOST[:PORT] | --env NAME | --socket PATH | --registry KEY [--write] [--json]
       holdfast policy explain [--why-not] [--json] -- COMMAND
       holdfast policy test [FILE] [--json]
       holdfast policy init [--json]
       holdfast policy schema [--json]
       holdfast policy import claude|codex|gemini|agentsh FILE [--output FILE] [--json]
       holdfast policy sign FILE --key KEY… --out BUNDLE [--name NAME] [--serial N] [--expires TIME] [--json]
       holdfast policy fetch URL|FILE [--key PUBLIC_KEY] [--name NAME] [--sha256 HASH] [--replace] [--json]
       holdfast policy rollback [--to SERIAL] [--json]
       holdfast policy bundles [--json]

check:   lists every problem of FILE, or of every policy in force; exits with 1 if there is one.
show:    prints the policy in force, with the source of each line. It counts long lists of built-in lines; --all prints
         them.
explain: shows the decision of each layer about a request, and every change that would allow it. For a command it shows
         the programs, files and hosts that it would use, the decision about each, and the obstacles. It runs nothing.
         It reads a single word as shell text: 'git add . && git push'. --why-not shows only the obstacles.
test:    tests the examples of all rules; exits with 1 when a decision differs.
init:    writes a commented holdfast.toml at the top of the workspace; never overwrites one.
schema:  prints the policy language as JSON Schema, for editors; the same with --json.
import:  converts the rules of another tool to a policy, on stdout or in a new file. It lists rules that it could not
         convert, with reasons, on stderr. The result allows nothing that the source denies.
sign:    signs FILE as a managed policy with Ed25519 keys. Name and serial go on from BUNDLE if it exists. It expires
         after 90d by default.
fetch:   verifies a bundle and puts it into force as the managed policy. The first fetch pins the key and the name, and
         --sha256 the policy. --replace takes the place of a managed policy that is no bundle.
rollback: puts the bundle before that in force, or a named one, into force again.
bundles: lists the bundles in force here, now and earlier; exits with 1 when the one in force is expired or damaged.

A FILE called holdfast.toml is checked as a project policy, any other FILE as a user policy.
--workspace DIR selects another workspace than the one around the working directory.`;

export const policyCommand: Command = {
  name: 'policy',
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
    all: { type: 'boolean' },
    key: { type: 'string', multiple: true },
    out: { type: 'string' },
    name: { type: 'string' },
    serial: { type: 'string' },
    expires: { type: 'string' },
    sha256: { type: 'string' },
    replace: { type: 'boolean' },
    to: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'show',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const subcommand = namedAction('policy', subcommands, name);
    if (words.length > mostWords[subcommand.file]) throw tooManyWords(name, words);
    return subcommand.run(input, words[0], words[1]);
  },
};

function tooManyWords(name: string, words: readonly string[]): HoldfastError {
  const message = `policy ${name} takes no argument ${JSON.stringify(words.at(-1))}`;
  if (name !== 'explain') return usageError('policy', message);
  return new HoldfastError('HF_USAGE', message, {
    remedy: `ask about a path with --path, or about a command with --: holdfast policy explain -- ${words.join(' ')}; see \`holdfast policy --help\``,
  });
}

interface Subcommand {
  readonly file: 'optional' | 'none' | 'of-a-tool';
  readonly run: (
    input: CommandInput,
    first: string | undefined,
    second: string | undefined,
  ) => number | Promise<number>;
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
  [
    'sign',
    { file: 'optional', run: async (input, file) => (await import('./central-policy.ts')).signPolicy(input, file) },
  ],
  [
    'fetch',
    { file: 'optional', run: async (input, from) => (await import('./central-policy.ts')).fetchPolicy(input, from) },
  ],
  ['rollback', { file: 'none', run: async (input) => (await import('./central-policy.ts')).rollBackPolicy(input) }],
  ['bundles', { file: 'none', run: async (input) => (await import('./central-policy.ts')).listBundles(input) }],
]);

/** `holdfast policy schema`: the policy language as JSON Schema, for editors. */
function printSchema({ io }: CommandInput): number {
  io.stdout.write(jsonText(schema));
  return 0;
}

/** The examples of one file, or the reason why they cannot run. */
interface Tried {
  readonly file: string;
  readonly results: readonly ExampleResult[];
  readonly problems: readonly Problem[];
}

/** `holdfast policy test [FILE]`: tries the examples of all rules. Exits with 1 if one has another result. */
function testPolicies(input: CommandInput, file: string | undefined): number {
  const tried = policySources(input, file).map(tryFile);
  input.io.stdout.write(isSet(input.values['json']) ? jsonText(tried) : safeText(report(tried)));
  return tried.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

/** A broken example is a problem of its file, with its line. A file with problems has no results. */
function tryFile({ kind, file, text }: PolicyText): Tried {
  const parsed = parsePolicy(text, { file, kind });
  return parsed.kind === 'problems'
    ? { file, results: [], problems: parsed.problems }
    : { file, results: tryExamples(parsed.document.value), problems: [] };
}

function report(tried: readonly Tried[]): string {
  if (tried.length === 0) return 'No policy file is in force here, so there are no examples to test.\n';
  return tried.map(fileReport).join('');
}

function fileReport({ file, results, problems }: Tried): string {
  if (problems.length > 0) return problems.map(problemText).join('');
  const lines = results.map(
    ({ rule, expects, example }) =>
      `ok  ${rule} ${expects === 'match' ? 'matches' : 'does not match'} ${JSON.stringify(example)}\n`,
  );
  return `${lines.join('')}${file}: ${summary(results.length)}\n`;
}

function summary(count: number): string {
  if (count === 0) return 'no examples';
  return count === 1 ? '1 example, as written' : `${count} examples, all as written`;
}

/** `holdfast policy import TOOL FILE`: prints the policy on stdout or into a new file, and the report on stderr. */
async function importPolicies(
  input: CommandInput,
  source: string | undefined,
  file: string | undefined,
): Promise<number> {
  const { importPolicy, importSources } = await import('../../agents/import/import-policy.ts');
  const known = importSources.find((each) => each === source);
  if (known === undefined || file === undefined)
    throw new HoldfastError('HF_USAGE', `expected one of ${importSources.join(', ')} and a file`, {
      remedy: 'write `holdfast policy import claude .claude/settings.json`',
    });
  const imported = importPolicy(textOf(resolve(input.io.cwd, file)), {
    source: known,
    places: { home: homedir(), workspace: commandPlace(input).workspace.root },
  });
  tell(imported, known, input);
  return 0;
}

function textOf(path: string): string {
  const source = readPolicyText('user', path);
  if (source !== undefined) return source.text;
  throw new HoldfastError('HF_POLICY_UNREADABLE', `${path} does not exist`, { remedy: 'name an existing file' });
}

function tell({ policy, notCarried }: Imported, source: ImportSource, { values, io }: CommandInput): void {
  const output = optionText(values['output']);
  if (output !== undefined) writeNew(resolve(io.cwd, output), policy);
  if (isSet(values['json'])) {
    io.stdout.write(jsonText({ source, policy, notCarried }));
    return;
  }
  if (output === undefined) io.stdout.write(policy);
  for (const { at, why, effect } of notCarried)
    io.stderr.write(safeText(`${effect === 'none' ? 'not carried' : effect}: ${at}: ${why}\n`));
}

/** Creates the file exclusively, so that it overwrites no policy and follows no symlink. */
function writeNew(path: string, policy: string): void {
  try {
    writeFileSync(path, policy, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new HoldfastError(
      'HF_USAGE',
      code === 'EEXIST' ? `${path} already exists` : `${path} cannot be written: ${code ?? String(cause)}`,
      { remedy: 'name a new file in a directory that you can write to', cause },
    );
  }
}

/**
 * `holdfast policy check [FILE]`: exits with 0 if a box could start with it. Prints every problem and exits with 1
 * otherwise.
 */
function checkPolicies(input: CommandInput, file: string | undefined): number {
  const { problems, notes, files } = examine(input, file);
  input.io.stdout.write(
    isSet(input.values['json'])
      ? jsonText({ files, problems, notes })
      : safeText(`${checkReport(problems, files)}${notes.map(problemText).join('')}`),
  );
  return problems.length === 0 ? 0 : 1;
}

interface Findings {
  readonly problems: readonly Problem[];
  /** Valid settings without an effect on this machine. */
  readonly notes: readonly Problem[];
  readonly files: readonly string[];
}

/** Opens a session with the policy, because only that proves that the policy is valid. */
function examine(input: CommandInput, file: string | undefined): Findings {
  const sources: PolicyText[] = [];
  try {
    sources.push(...policySources(input, file));
    const place = commandPlace(input);
    const notes = inertRules(policyOfPlace({ ...place, sources }), existsSync);
    return { problems: [], notes, files: sources.map((source) => source.file) };
  } catch (error) {
    if (!isHoldfastError(error) || !error.code.startsWith('HF_POLICY')) throw error;
    return { problems: problemsOf(error), notes: [], files: sources.map((source) => source.file) };
  }
}

/** An error about one file, such as a file that cannot be read, is one problem. */
function problemsOf(error: HoldfastError): readonly Problem[] {
  const problems = error.details['problems'] as readonly Problem[] | undefined;
  return problems ?? [{ code: 'HF_POLICY_INVALID', file: '', line: 0, message: error.message, remedy: error.remedy }];
}

function checkReport(problems: readonly Problem[], files: readonly string[]): string {
  if (problems.length === 0)
    return files.length === 0
      ? 'No policy file is in force here. The built-in defaults apply; `holdfast policy show` prints them.\n'
      : files.map((file) => `${file}: no problems\n`).join('');
  return problems.map(problemText).join('');
}

/** Editors and terminals turn this form into links. */
function problemText({ file, line, message, remedy }: Problem): string {
  const place = file === '' ? '' : line === 0 ? `${file}: ` : `${file}:${line}: `;
  return `${place}${message}\n  ${remedy}\n`;
}
