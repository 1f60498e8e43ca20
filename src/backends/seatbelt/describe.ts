import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import { seatbeltProfile } from './profile.ts';

/** What a session would choose. */
const places = {
  tag: 'holdfast',
  privateDirectory: '/private/var/run/holdfast/BOX',
  proxyPort: 1,
  profile: '/private/var/run/holdfast/BOX.sb',
} as const;

/** The profile of a plan for a person, with its label and the words that would start its command. Itself a profile. */
export function describeProfile(plan: Plan): string {
  const notes = [
    'generated, not run: no machine of this project has tried this profile',
    `the session's own would stand for the tag ${places.tag}, the directory ${places.privateDirectory} and the proxy's port ${places.proxyPort}`,
    `started as ${JSON.stringify(seatbeltCommand(plan, places))}`,
  ];
  return `${notes.map((note) => `; ${note}\n`).join('')}${seatbeltProfile(plan, places)}`;
}

/** Where every Mac has it; nothing in `PATH` may take its place. */
const sandboxExec = '/usr/bin/sandbox-exec';

/**
 * The words that start a command under the profile in a file, which the box must not be able to write. No shell reads
 * them.
 */
export function seatbeltCommand(
  { command }: Pick<Plan, 'command'>,
  { profile }: { readonly profile: string },
): readonly string[] {
  if (!profile.startsWith('/'))
    throw new HoldfastError('HF_INTERNAL', `${JSON.stringify(profile)} is no absolute path of a profile`, {
      remedy: 'give the path of the file that the supervisor has written',
    });
  // Attack: a program whose name is an option of `sandbox-exec`, such as `-p` with another profile.
  return [sandboxExec, '-f', profile, '--', ...command.argv];
}
