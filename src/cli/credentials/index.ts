/** `holdfast credentials`: lists and revokes the phantoms of a box. The sandbox room defines them. */
import { HoldfastError } from '../../errors/index.ts';
import { revokeByName, type ShownCredential, shownCredentials } from '../../credentials/session/shown-credentials.ts';
import { readPlace } from '../../place/place.ts';
import { openSession } from '../../session/session.ts';
import { boxOptions } from '../box-options.ts';
import { boxOptionsUsage } from '../run-usage.ts';
import { type Command, type CommandInput, isSet, jsonText, printResult, safeText, optionText } from '../command.ts';
import { unknownAction, usageError } from '../usage-error.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast credentials [show] [OPTIONS] [--json]
       holdfast credentials revoke NAME… | --all [--session ID] [--json]

show:   lists each credential of the policy, the source of its secret, its hosts, and the phantom that a box would see.
        The phantoms belong to a session that ends with this command. It never prints a secret.
revoke: makes the phantoms of NAME invalid in running sessions, from their next request on. Later sessions get new ones.
        It also revokes a name that the policy does not know, and then exits with 1.

${boxOptionsUsage}`;

export const credentialsCommand: Command = {
  name: 'credentials',
  usage,
  options: { ...boxOptions, json: { type: 'boolean' }, all: { type: 'boolean' }, session: { type: 'string' } },
  positionals: 'any',
  alone: 'show',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    if (name === 'show') return showCredentials(input, words);
    if (name === 'revoke') return revokeCredentials(input, words);
    throw unknownAction('credentials', ['show', 'revoke'], name);
  },
};

function revokeCredentials(input: CommandInput, names: readonly string[]): number {
  const { values, io } = input;
  const all = isSet(values['all']);
  if (all === names.length > 0)
    throw new HoldfastError('HF_USAGE', 'expected names of credentials, or --all', {
      remedy: 'write `holdfast credentials revoke github`',
    });
  const session = optionText(values['session']);
  const unknown = revokeByName(readPlace({ cwd: io.cwd, environment: io.environment }), {
    names,
    at: Date.now(),
    ...(session === undefined ? {} : { session }),
  });
  printResult(
    input,
    { revoked: all ? 'everything' : names, session: session ?? null, unknown },
    `revoked ${all ? 'every credential' : names.join(', ')}${session === undefined ? '' : ` in session ${session}`}\n`,
  );
  for (const name of unknown)
    io.stderr.write(
      safeText(
        `holdfast: the policy that holds here has no credential ${JSON.stringify(name)}: see \`holdfast secrets list\` for how it is written\n`,
      ),
    );
  return unknown.length === 0 ? 0 : 1;
}

/** `holdfast credentials show`: the credentials as a box sees them. */
async function showCredentials(input: CommandInput, words: readonly string[]): Promise<number> {
  if (words.length > 0) throw usageError('credentials', `${JSON.stringify(words[0])} is one argument too many`);
  const session = await openSession({ ...profiledSession(input), whenStrict: 'starts-nothing' });
  try {
    const shown = shownCredentials(session);
    input.io.stdout.write(isSet(input.values['json']) ? jsonText(shown) : safeText(describe(shown)));
    return 0;
  } finally {
    session.credentials?.close();
  }
}

function describe({ credentials, notices, environment, files }: ReturnType<typeof shownCredentials>): string {
  if (credentials.length === 0 && notices.length === 0)
    return 'No credentials yet. Add one: holdfast secrets add NAME --host HOST --from SOURCE\n';
  const variables = Object.entries(environment).map(([name, value]) => `  ${name}=${value}`);
  const contents = files.flatMap(({ path, content }) => [
    `  ${path}`,
    ...content
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`),
  ]);
  return [
    ...credentials.flatMap(credentialLines),
    ...notices.map((notice) => `missing: ${notice}`),
    ...(variables.length === 0 ? [] : ['in the environment of the box', ...variables]),
    ...(contents.length === 0 ? [] : ['in files of the box', ...contents]),
    '',
  ].join('\n');
}

function credentialLines({ name, source, inject, hosts, methods, paths, use }: ShownCredential): readonly string[] {
  return [
    name,
    `  secret   ${source}`,
    `  put in   ${inject}, ${use === 'always' ? 'into every request' : 'for its phantom'}`,
    `  good at  ${hosts.join(' ')}${methods === undefined ? '' : `, ${methods.join(' ')}`}${paths === undefined ? '' : `, ${paths.join(' ')}`}`,
  ];
}
