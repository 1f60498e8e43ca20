/**
 * `holdfast secrets`: one file per subcommand. The sandbox room finds the sources of secrets and asks the policy. These
 * files read options and print results. They never print a secret.
 */
import {
  listSecrets,
  removeSecret,
  type SecretTest,
  testSecret,
} from '../../credentials/session/secrets/user-secrets.ts';
import { describeSource } from '../../policy/credentials/describe-credential.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { type Command, type CommandInput, isSet, jsonText, printResult, safeText } from '../command.ts';
import { namedAction, usageError } from '../usage-error.ts';
import { lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { addSecretCommand, secretsPlace } from './add.ts';

const usage = `usage: holdfast secrets add NAME (--provider NAME | --host HOST…) (--from SOURCE | --keyring) [OPTIONS] [--json] [-- COMMAND]
       holdfast secrets [list] [--json]
       holdfast secrets test NAME [--json]
       holdfast secrets remove NAME [--json]

add:    appends a [[credentials]] table to your policy, if the whole policy stays valid.
list:   lists every credential in force, with the source of its secret and its hosts.
test:   reads the secret once and prints whether that worked, never the secret; exits with 1 if it did not.
remove: removes the table from your policy, and from the keyring the secret that --keyring stored there.

SOURCE is one of
  env:NAME                a variable in the environment of holdfast
  file:PATH               a file outside the workspace; --format netrc, npmrc, aws … names its format
  command                 the output of COMMAND; --timeout 10s, --lifetime 10m
  keyring:SERVICE/ACCOUNT an entry of the keyring
  op://VAULT/ITEM/FIELD   1Password
  bw:ITEM/FIELD           Bitwarden
  vault:PATH#FIELD        HashiCorp Vault

  --keyring               store the secret in the keyring now, as NAME of the service holdfast: holdfast asks for it at
                          the terminal, or reads it from stdin
  --inject KIND[:WHAT]    how requests carry the secret: bearer (default for --host), header:NAME, basic:USER,
                          query:NAME, cookie:NAME, git:USER, path, sigv4, postgres:USER, redis:USER …
  --env NAME[=TEXT]       a variable with the phantom in the box; TEXT contains {phantom}      (repeatable)
  --method METHOD         only requests with this method                                       (repeatable)
  --path GLOB             only requests to matching paths                                      (repeatable)
  --always                add the secret to every such request, even without the phantom
  --workspace DIR         the workspace whose policy counts (default: the one around the working directory)`;

export const secretsCommand: Command = {
  name: 'secrets',
  usage,
  options: {
    provider: { type: 'string' },
    host: { type: 'string', multiple: true },
    from: { type: 'string' },
    format: { type: 'string' },
    timeout: { type: 'string' },
    lifetime: { type: 'string' },
    keyring: { type: 'boolean' },
    inject: { type: 'string' },
    env: { type: 'string', multiple: true },
    method: { type: 'string', multiple: true },
    path: { type: 'string', multiple: true },
    always: { type: 'boolean' },
    json: { type: 'boolean' },
    workspace: { type: 'string' },
  },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    const [verb = '', ...words] = input.positionals;
    const subcommand = namedAction('secrets', subcommands, verb);
    const [name, ...more] = words;
    if (subcommand.takes === 'nothing' ? name !== undefined : name === undefined || more.length > 0) {
      throw usageError('secrets', `secrets ${verb} takes ${subcommand.takes}`);
    }
    return subcommand.run(input, name ?? '');
  },
};

interface Subcommand {
  readonly takes: 'one name' | 'nothing';
  readonly run: (input: CommandInput, name: string) => number | Promise<number>;
}

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['add', { takes: 'one name', run: addSecretCommand }],
  ['list', { takes: 'nothing', run: listSecretsCommand }],
  ['test', { takes: 'one name', run: testSecretCommand }],
  ['remove', { takes: 'one name', run: removeSecretCommand }],
]);

/** `holdfast secrets remove NAME`: exits with 1 if the keyring may still hold a part of it. */
async function removeSecretCommand(input: CommandInput, name: string): Promise<number> {
  const at = secretsPlace(input);
  const removed = await removeSecret(at, name);
  const file = at.place.paths.userPolicy;
  printResult(
    input,
    { removed: name, file, keyring: removed.kind === 'removed' ? 'untouched' : removed.kind },
    `removed ${name} from ${file}${removed.kind === 'cleared' ? ', and its secret from the keyring' : ''}\n`,
  );
  if (removed.kind !== 'left') return 0;
  input.io.stderr.write(
    safeText(
      `holdfast: its secret may still be in the keyring: ${removed.why}\nholdfast: to fix it: ${removed.remedy}\n`,
    ),
  );
  return 1;
}

/** `holdfast secrets test NAME`: exits with 0 if the secret could be read, and 1 otherwise. */
async function testSecretCommand(input: CommandInput, name: string): Promise<number> {
  const tested = await testSecret(secretsPlace(input), name);
  input.io.stdout.write(isSet(input.values['json']) ? jsonText({ name, ...tested }) : safeText(linesOf(name, tested)));
  return tested.kind === 'readable' ? 0 : 1;
}

function linesOf(name: string, tested: SecretTest): string {
  if (tested.kind === 'unavailable') return `${tested.message}\n  ${tested.remedy}\n`;
  const { expires, notices } = tested;
  const until = expires === undefined ? '' : `, and expires at ${new Date(expires).toISOString().slice(0, 19)}Z`;
  return [`${name} can be read${until}`, ...notices.map((notice) => `  ${notice}`), ''].join('\n');
}

interface Row {
  readonly name: string;
  readonly provider?: string;
  readonly hosts: readonly string[];
  /** Description in words. */
  readonly source: string;
  readonly use: Credential['use'];
  readonly file: string;
  readonly line: number;
}

/** `holdfast secrets list`: one line for each credential. */
function listSecretsCommand(input: CommandInput): number {
  const rows = listSecrets(secretsPlace(input)).map(rowOf);
  const { values, io } = input;
  if (isSet(values['json'])) io.stdout.write(jsonText(rows));
  else if (rows.length === 0)
    io.stdout.write('No credentials yet. Add one: holdfast secrets add NAME --host HOST --from SOURCE\n');
  else io.stdout.write(terminalTable(rows, columns, lookOf(io)));
  return 0;
}

function rowOf({ name, provider, binding, source, use, origin }: Credential): Row {
  return {
    name,
    ...(provider === undefined ? {} : { provider }),
    hosts: binding.hosts.map((host) => host.source),
    source: describeSource(source),
    use,
    file: origin.file,
    line: origin.line,
  };
}

const columns: readonly TableColumn<Row>[] = [
  { head: 'NAME', of: ({ name }) => name },
  { head: 'FOR', of: ({ provider, hosts }) => provider ?? hosts.join(' '), cut: 'end' },
  { head: 'USE', of: ({ use }) => use },
  { head: 'SOURCE', of: ({ source }) => source, cut: 'end' },
];
