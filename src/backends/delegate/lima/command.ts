import { HoldfastError } from '../../../errors/index.ts';
import { guestPath, guestWords, type DelegatedCommand, type DelegatedRun } from '../run.ts';
import type { LimaInstance } from './instances.ts';
import { toLimaGuest } from './paths.ts';

export interface LimaGuest {
  readonly kind: 'lima';
  readonly limactl: string;
  readonly instance: LimaInstance;
  /** The home directory of the host's user, which `~` of a mount means. */
  readonly home: string;
}

/**
 * `limactl shell` quotes each word for a POSIX shell, joins them, and has the guest's login shell run the line over ssh: so words are
 * handed over as they are. Two things it does not quote decide the order. A leading word with `=` is an assignment whose name stands
 * in the line as it is, so that the first word is always the program's name. And a stopped instance it offers to start.
 *
 * Source: cmd/limactl/shell.go of Lima. Throws `HF_BACKEND_MISSING`, `HF_PATH_UNREPRESENTABLE`, `HF_USAGE`.
 */
export function limaRun(run: DelegatedRun, guest: LimaGuest): DelegatedCommand {
  if (Object.keys(run.environment).length > 0) throw new HoldfastError('HF_USAGE', `Lima carries no environment into the guest: ${Object.keys(run.environment).join(', ')}`, { remedy: 'leave --env out, or set the variable in the guest' });
  const map = (path: string) => toLimaGuest(path, guest.instance.mounts, guest.home);
  return limaCommand(guest, guestPath(run.cwd, 'writable', map), guestWords(run, map));
}

/** A command of the guest. The first word may hold no `=`. */
export function limaCommand({ limactl, instance, home }: LimaGuest, directory: string, words: readonly string[]): DelegatedCommand {
  if (instance.status !== 'Running') throw new HoldfastError('HF_BACKEND_MISSING', `the Lima instance ${instance.name} is not running (${JSON.stringify(instance.status)})`, { remedy: `run \`limactl start ${instance.name}\`` });
  return { program: limactl, arguments: ['shell', '--workdir', directory, instance.name, ...words], environment: limaEnvironment(home) };
}

/**
 * limactl takes its ssh from PATH, or a whole command line for it from `SSH`, and its instances from `LIMA_HOME`, where an ssh
 * configuration may name programs: none of them is passed on.
 */
export function limaEnvironment(home: string): Readonly<Record<string, string>> {
  return { HOME: home, PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8', TERM: 'xterm-256color' };
}
