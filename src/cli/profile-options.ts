import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isProfileName, profileNames, profileNeeds } from '../agents/profiles/profiles.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Grants } from '../place/grants.ts';
import type { SessionOptions } from '../session/session-options.ts';
import { sessionOptions } from './box-options.ts';
import { type CommandInput, optionText } from './command.ts';

/** Returns `sessionOptions` with the grants of `--profile`. Separate, so that a plain run loads no profiles. */
export function profiledSession(input: CommandInput): SessionOptions {
  const { grants, notices } = profileOf(input);
  for (const notice of notices) input.io.stderr.write(`holdfast: ${notice}\n`);
  return sessionOptions(input, grants);
}

/** Makes the agent's state directory, which is all that a profile changes on the host. */
export function profileOf({ values, io }: CommandInput): {
  readonly grants: Grants;
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
} {
  const name = optionText(values['profile']);
  if (name === undefined) return { grants: {}, notices: [] };
  if (!isProfileName(name))
    throw new HoldfastError('HF_USAGE', `there is no profile ${JSON.stringify(name)}`, {
      remedy: `use one of: ${profileNames.join(', ')}`,
    });
  const { directories, ...needs } = profileNeeds(name, { home: homedir(), environment: io.environment });
  for (const directory of directories) mkdirSync(directory, { recursive: true, mode: 0o700 });
  return needs;
}
