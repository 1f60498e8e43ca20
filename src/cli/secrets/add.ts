import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { addSecret, keyringService, type SecretsPlace } from '../../credentials/session/secrets/user-secrets.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { CredentialTable } from '../../policy/credentials/schema.ts';
import { type CommandInput, type CommandIo, isSet, printResult, optionText, optionTexts } from '../command.ts';
import { commandPlace } from '../policy/explain.ts';

/** `holdfast secrets add NAME`: adds a table to the user's policy. */
export async function addSecretCommand(input: CommandInput, name: string): Promise<number> {
  const at = secretsPlace(input);
  const table = tableOf(input, name);
  await addSecret(at, table, isSet(input.values['keyring']) ? () => readSecret(name, input.io) : undefined);
  const file = at.place.paths.userPolicy;
  printResult(input, { added: name, file }, `added ${name} to ${file}: see \`holdfast secrets test ${name}\`\n`);
  return 0;
}

/** Returns the table of the options. The policy room checks it. */
function tableOf({ values, rest, io }: CommandInput, name: string): CredentialTable {
  const [provider, hosts, from, inject] = [
    optionText(values['provider']),
    optionTexts(values['host']),
    optionText(values['from']),
    optionText(values['inject']),
  ];
  if (provider === undefined && hosts.length === 0)
    throw usage('the hosts of the secret are missing', 'name a service with --provider, or hosts with --host');
  if ((from === undefined) !== isSet(values['keyring']))
    throw usage('the source of the secret is missing', 'name one source with --from, or store it with --keyring');
  const source =
    from === undefined ? { keyring: `${keyringService}/${name}` } : sourceOption({ from, rest, cwd: io.cwd, values });
  if (provider === undefined && optionTexts(values['env']).length === 0 && !isSet(values['always']))
    throw usage(
      'nothing was written: no variable and no file holds its phantom',
      'name a variable for the phantom with --env, or add the secret to every request with --always',
    );
  const kind = inject ?? (provider === undefined ? 'bearer' : undefined);
  return {
    name,
    ...(provider === undefined ? {} : { provider: provider as NonNullable<CredentialTable['provider']> }),
    source,
    ...listed('hosts', hosts),
    ...listed('methods', optionTexts(values['method'])),
    ...listed('paths', optionTexts(values['path'])),
    ...(kind === undefined ? {} : { inject: injectOption(kind) }),
    ...listed('environment', optionTexts(values['env'])),
    ...(isSet(values['always']) ? { use: 'always' } : {}),
  };
}

function listed<Key extends 'hosts' | 'methods' | 'paths' | 'environment'>(
  key: Key,
  items: readonly string[],
): Partial<Record<Key, readonly string[]>> {
  return items.length === 0 ? {} : ({ [key]: items } as Record<Key, readonly string[]>);
}

function usage(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy });
}

type InjectTable = NonNullable<CredentialTable['inject']>;

/**
 * `KIND`, or `KIND:WHAT` with the one parameter that most uses of a kind need. Other parameters must be written into
 * the policy by hand.
 */
export function injectOption(written: string): InjectTable {
  const colon = written.indexOf(':');
  if (colon === -1) return { kind: written as InjectTable['kind'] };
  const kind = written.slice(0, colon);
  return { kind: kind as InjectTable['kind'], [whats.get(kind) ?? 'user']: written.slice(colon + 1) };
}

/** For other kinds it is the user, or invalid, which the policy room reports. */
const whats: ReadonlyMap<string, 'name' | 'parameter' | 'access_key_id'> = new Map([
  ['header', 'name'],
  ['cookie', 'name'],
  ['query', 'parameter'],
  ['sigv4', 'access_key_id'],
] as const);

type SourceTable = NonNullable<CredentialTable['source']>;

interface SourceWords extends Pick<CommandInput, 'values' | 'rest'> {
  /** The value of `--from`. */
  readonly from: string;
  readonly cwd: string;
}

/** Returns the `source` of a table from the command line. The policy room checks its parts. */
export function sourceOption(words: SourceWords): SourceTable {
  const { from, values, rest } = words;
  const [, scheme = '', value = ''] = /^([a-z]+)(?::(?!\/\/)(.*))?$/su.exec(from) ?? [];
  const source = from.startsWith('op://') ? { onepassword: from } : sources.get(scheme)?.(value, words);
  // Does not repeat the word: someone may have put the secret there.
  if (source === undefined)
    throw new HoldfastError('HF_USAGE', 'the source after --from is unknown', {
      remedy: `use ${[...sources.keys()].map((name) => (name === 'command' ? name : `${name}:`)).join(', ')} or op://, for example --from env:GITHUB_TOKEN; never write the secret itself on a command line`,
    });
  if (rest !== undefined && source.command === undefined)
    throw new HoldfastError('HF_USAGE', 'only --from command takes a command after --', {
      remedy: 'use --from command -- COMMAND',
    });
  return {
    ...source,
    ...optional('format', values),
    ...optional('timeout', values),
    ...optional('lifetime', values),
  } as SourceTable;
}

const sources: ReadonlyMap<string, (value: string, words: SourceWords) => SourceTable> = new Map<
  string,
  (value: string, words: SourceWords) => SourceTable
>([
  ['env', (env) => ({ env })],
  ['file', (file, { cwd }) => ({ file: file === '~' || file.startsWith('~/') ? file : resolve(cwd, file) })],
  ['command', commandSource],
  ['keyring', (keyring) => ({ keyring })],
  ['bw', (bitwarden) => ({ bitwarden })],
  ['vault', (vault) => ({ vault })],
]);

function commandSource(value: string, { rest = [] }: SourceWords): SourceTable {
  if (value === '' && rest.length > 0) return { command: [...rest] };
  throw new HoldfastError('HF_USAGE', 'the command that prints the secret is missing', {
    remedy: 'write it after --, as in --from command -- gh auth token',
  });
}

function optional(
  key: 'format' | 'timeout' | 'lifetime',
  values: CommandInput['values'],
): Readonly<Record<string, string>> {
  const value = optionText(values[key]);
  return value === undefined ? {} : { [key]: value };
}

/** Reads a secret from the terminal, without echo, or from stdin. Drops the final line break. */
export async function readSecret(name: string, { stderr }: Pick<CommandIo, 'stderr'>): Promise<string> {
  const secret = process.stdin.isTTY
    ? await ask(`secret of ${name}: `, stderr)
    : readFileSync(0, 'utf8').replace(/\r?\n$/u, '');
  if (secret === '')
    throw new HoldfastError('HF_USAGE', 'the secret is empty', {
      remedy: 'type it at the terminal, or pass it on stdin',
    });
  if (/\p{Cc}/u.test(secret))
    throw new HoldfastError('HF_USAGE', 'the secret holds a line break or another control character', {
      remedy: 'enter the secret alone; put a key of several lines into a file and use --from file:PATH',
    });
  return secret;
}

/**
 * Raw mode comes before the prompt, because some people type fast: the terminal then echoes nothing, and every key is
 * ours.
 */
async function ask(prompt: string, stderr: CommandIo['stderr']): Promise<string> {
  const { stdin } = process;
  stdin.setRawMode(true);
  try {
    // A question asked just before pauses stdin in the next tick, which would end this process without a word.
    await setImmediate();
    stderr.write(prompt);
    return await typed(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function typed(stdin: NodeJS.ReadStream): Promise<string> {
  let line = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    for (const key of String(chunk)) {
      if (endings.has(key)) return line;
      if (interrupts.has(key))
        throw new HoldfastError('HF_USAGE', 'nothing was added', {
          remedy: 'run the command again when you have the secret',
        });
      if (key === killLine) line = '';
      else line = erasers.has(key) ? [...line].slice(0, -1).join('') : `${line}${key}`;
    }
  }
  return line;
}

/** Keys as in stty(1) by default: Return or ^D ends a line; ^C, ^\ and ^Z cancel. */
const endings: ReadonlySet<string> = new Set(['\r', '\n', '\u0004']);
const interrupts: ReadonlySet<string> = new Set(['\u0003', '\u001A', '\u001C']);
const erasers: ReadonlySet<string> = new Set(['\b', '\u007F']);
const killLine = '\u0015';

/** Returns the policies of the working directory, or of `--workspace`. */
export function secretsPlace(input: CommandInput): SecretsPlace {
  return { place: commandPlace(input), environment: input.io.environment };
}
