import { HoldfastError } from '../../errors/index.ts';
import { type ShownCredential, shownCredentials } from '../../sandbox/credentials/shown-credentials.ts';
import { openSession } from '../../sandbox/session.ts';
import { sessionOptions } from '../box-options.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';

/** `holdfast credentials show`: what a box would see. */
export async function showCredentials(input: CommandInput, words: readonly string[]): Promise<number> {
  if (words.length > 0) throw new HoldfastError('HF_USAGE', `${JSON.stringify(words[0])} is one word too many`, { remedy: 'see `holdfast credentials --help`' });
  const session = await openSession(sessionOptions(input));
  try {
    const shown = shownCredentials(session);
    input.io.stdout.write(isSet(input.values['json']) ? jsonText(shown) : safeText(describe(shown)));
    return 0;
  } finally {
    session.credentials?.close();
  }
}

function describe({ credentials, notices, environment, files }: ReturnType<typeof shownCredentials>): string {
  if (credentials.length === 0 && notices.length === 0) return 'the policy has no credentials: `holdfast secrets add` makes one\n';
  const variables = Object.entries(environment).map(([name, value]) => `  ${name}=${value}`);
  const contents = files.flatMap(({ path, content }) => [`  ${path}`, ...content.trimEnd().split('\n').map((line) => `    ${line}`)]);
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
