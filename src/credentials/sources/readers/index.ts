import type { Credential, SourceKind } from '../../../policy/credentials/types.ts';
import { askProgram, oneLineAnswer } from '../ask-program.ts';
import { keyringOf, keyringPatience } from '../keyring-programs.ts';
import { readHostFile } from '../read-host-file.ts';
import { longestAnswer } from '../run-program.ts';
import type { SourceAnswer, SourceFailure, ReadSource, SourceContext } from '../types.ts';
import { isJsonObject, parseAnswer } from './parse-answer.ts';

/**
 * Has nothing to read before the box has logged in. After that, the tokens of the login are kept in the token store.
 */
const readNothing: ReadSource<'capture'> = () =>
  Promise.resolve({
    kind: 'missing',
    why: 'nobody has logged in yet',
    remedy: 'log in inside the box: the secrets of the login stay outside',
  });

/** Reads a variable of the supervisor's own environment. In the box, the same name holds a phantom, or nothing. */
const readEnvironment: ReadSource<'env'> = ({ variable }, _credential, { environment }) => {
  const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (value === undefined || value === '')
    return Promise.resolve({
      kind: 'missing',
      why: `the environment variable ${variable} is not set`,
      remedy: `set ${variable} where holdfast is started`,
    });
  return Promise.resolve({ kind: 'answer', value, fields: {} });
};

/**
 * 1Password CLI 2: `op read --no-newline REFERENCE`. Source: developer.1password.com/docs/cli/reference/commands/read.
 */
const readOnePassword: ReadSource<'onepassword'> = async ({ reference }, _credential, context) => {
  if (!reference.startsWith('op://'))
    return {
      kind: 'unavailable',
      why: 'its reference does not begin with op://',
      remedy: 'write it as op://vault/item/field',
    };
  const said = await askProgram(
    {
      program: 'op',
      words: ['read', '--no-newline', reference],
      timeout: keyringPatience,
      remedy: 'sign in with `op signin`, or set OP_SERVICE_ACCOUNT_TOKEN, and try `op read` with this reference',
    },
    context,
  );
  return said.kind === 'output' ? oneLineAnswer(said.text) : said;
};

/**
 * HashiCorp Vault: `vault kv get -field=FIELD PATH`, which prints only the value. Exit status 2 means "no value found",
 * but also that the server refused. Source: developer.hashicorp.com/vault/docs/commands/kv/get.
 */
const readVault: ReadSource<'vault'> = async ({ path, field }, _credential, context) => {
  if (path.startsWith('-'))
    return { kind: 'unavailable', why: 'its path begins with a dash', remedy: 'write it as MOUNT/NAME' };
  const said = await askProgram(
    {
      program: 'vault',
      words: ['kv', 'get', `-field=${field}`, path],
      timeout: keyringPatience,
      remedy: 'log in with `vault login`, set VAULT_ADDR, and try `vault kv get` with this path',
    },
    context,
  );
  return said.kind === 'output' ? oneLineAnswer(said.text) : said;
};

/**
 * Reads an entry of the user's keyring. The desktop may ask the user to unlock it, so it gets more time than a command.
 */
const readKeyring: ReadSource<'keyring'> = async (entry, _credential, context) => {
  const keyring = keyringOf(context.platform);
  if (keyring.kind !== 'keyring') return keyring;
  const said = await askProgram(keyring.look(entry), context);
  return said.kind === 'output' ? oneLineAnswer(said.text) : said;
};

/** Bytes of a file that holds more than the secret. */
const longestFile = 1024 * 1024;

/** Reads a file of the host, without surrounding blanks, or the file's field for the hosts of the credential. */
const readFileSource: ReadSource<'file'> = (source, { binding, injection }, { writableRoots, extract }) => {
  const { path, format = 'text' } = source;
  const read = readHostFile(path, { longest: format === 'text' ? longestAnswer : longestFile, writableRoots });
  if (read.kind !== 'text') return Promise.resolve(read);
  const { text, notice } = read;
  const found =
    format === 'text'
      ? { value: text.trim(), fields: {} }
      : extract(format, text, {
          hosts: binding.hosts,
          ...('user' in injection && injection.user !== undefined ? { user: injection.user } : {}),
        });
  if (found === undefined)
    return Promise.resolve({
      kind: 'missing',
      why: `${path} holds no secret for these hosts, or is not a ${format} file`,
      remedy: 'log in with the tool that writes this file, or correct `format`',
    });
  return Promise.resolve({
    kind: 'answer',
    value: found.value,
    fields: found.fields,
    ...(notice === undefined ? {} : { notice }),
  } satisfies SourceAnswer);
};

/**
 * Bitwarden CLI: `bw get item ITEM` prints the item as JSON. A field is part of its login (`password`, `username`), its
 * `notes`, or a field that the user has added. Source: bitwarden.com/help/cli, `bw get template item`.
 */
const readBitwarden: ReadSource<'bitwarden'> = async ({ item, field }, _credential, context) => {
  const said = await askProgram(
    {
      program: 'bw',
      words: ['--nointeraction', 'get', 'item', '--', item],
      timeout: keyringPatience,
      remedy: 'unlock it with `bw unlock`, set BW_SESSION, and try `bw get item` with this item',
    },
    context,
  );
  return said.kind === 'output' ? fieldOf(said.text, field) : said;
};

const loginFields: ReadonlySet<string> = new Set(['password', 'username']);

/** Reads the output of a user's command: the secret, or JSON with the secret and its expiry. */
const readCommand: ReadSource<'command'> = async ({ argv, timeout, lifetime }, { injection }, context) => {
  const [program = '', ...words] = argv;
  const said = await askProgram(
    {
      program,
      words,
      timeout,
      remedy: 'run the command of this credential in a terminal, where it can show its error and ask questions',
    },
    context,
  );
  if (said.kind !== 'output') return said;
  const answer = parseAnswer(said.text, injection.kind, context.now());
  if (answer.kind !== 'answer' || answer.expires !== undefined || lifetime === undefined) return answer;
  return { ...answer, expires: context.now() + lifetime };
};

const readers: { readonly [Kind in SourceKind]: ReadSource<Kind> } = {
  env: readEnvironment,
  file: readFileSource,
  command: readCommand,
  keyring: readKeyring,
  onepassword: readOnePassword,
  bitwarden: readBitwarden,
  vault: readVault,
  capture: readNothing,
};

/** Asks the source of a credential once. */
export function readSecretSource(
  credential: Credential,
  context: SourceContext,
): Promise<SourceAnswer | SourceFailure> {
  // The table's type gives each reader sources of its own kind, but TypeScript cannot call the union of the readers.
  const reader = readers[credential.source.kind] as ReadSource<SourceKind>;
  return reader(credential.source, credential, context);
}

interface Item {
  readonly login?: Readonly<Record<string, unknown>> | null;
  readonly notes?: unknown;
  readonly fields?: readonly { readonly name?: unknown; readonly value?: unknown }[] | null;
}

function fieldOf(text: string, field: string): SourceAnswer | SourceFailure {
  const item = parsed(text);
  if (item === undefined)
    return {
      kind: 'unavailable',
      why: 'bw did not answer with an item',
      remedy: 'update the Bitwarden command line',
    };
  const [value, ...others] = valuesOf(item, field);
  if (others.length > 0)
    return {
      kind: 'unavailable',
      why: `the item has several fields named ${field}`,
      remedy: 'give one of them another name',
    };
  if (typeof value !== 'string' || value === '')
    return {
      kind: 'missing',
      why: `the item has no field named ${field}`,
      remedy: 'name `password`, `username`, `notes`, or a field that you added',
    };
  return { kind: 'answer', value, fields: {} };
}

function valuesOf({ login, notes, fields }: Item, field: string): readonly unknown[] {
  const own = Array.isArray(fields)
    ? fields.flatMap((each: unknown) => (isJsonObject(each) && each['name'] === field ? [each['value']] : []))
    : [];
  if (field === 'notes') return [notes, ...own].filter(isPresent);
  return [...(loginFields.has(field) && isJsonObject(login) ? [login[field]] : []), ...own].filter(isPresent);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function parsed(text: string): Item | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
