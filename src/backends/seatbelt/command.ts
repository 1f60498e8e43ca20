import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';

/** Where every Mac has it; nothing in `PATH` may take its place. */
const sandboxExec = '/usr/bin/sandbox-exec';

/** The words that start a command under the profile in a file, which the box must not be able to write. No shell reads them. */
export function seatbeltCommand({ command }: Pick<Plan, 'command'>, { profile }: { readonly profile: string }): readonly string[] {
  if (!profile.startsWith('/')) throw new HoldfastError('HF_INTERNAL', `${JSON.stringify(profile)} is no absolute path of a profile`, { remedy: 'give the path of the file that the supervisor has written' });
  // Attack: a program whose name is an option of `sandbox-exec`, such as `-p` with another profile.
  return [sandboxExec, '-f', profile, '--', ...command.argv];
}
