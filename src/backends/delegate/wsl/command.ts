import { HoldfastError } from '../../../errors/index.ts';
import { guestPath, guestWords, type DelegatedCommand, type DelegatedRun } from '../run.ts';
import type { WslDistribution } from './list.ts';
import { wslEnvironment } from './environment.ts';
import { toWslGuest, type WslPlaces } from './paths.ts';

export interface WslGuest {
  readonly kind: 'wsl2';
  readonly wsl: string;
  readonly distribution: WslDistribution;
  readonly automount: WslPlaces['automount'];
  /** Variables that wsl.exe itself needs, such as SystemRoot. */
  readonly own: Readonly<Record<string, string>>;
}

/** Throws `HF_BACKEND_MISSING`, `HF_PATH_UNREPRESENTABLE`, `HF_USAGE`. */
export function wslRun(run: DelegatedRun, guest: WslGuest): DelegatedCommand {
  const map = (path: string) => toWslGuest(path, { distribution: guest.distribution.name, automount: guest.automount });
  return { ...wslCommand(guest, guestPath(run.cwd, 'writable', map), guestWords(run, map)), environment: wslEnvironment(run.environment, guest.own) };
}

/**
 * `--exec` starts the words without a shell: wsl.exe splits its command line as CommandLineToArgvW does, which is what Node quotes for.
 * Not so what stands before: the name of the distribution is taken with its quotes, and of the directory only the outer quotes are
 * taken away, so that neither may hold what has to be escaped. Source: src/windows/common/WslClient.cpp of WSL.
 */
export function wslCommand({ wsl, distribution, own }: WslGuest, directory: string, words: readonly string[]): DelegatedCommand {
  if (distribution.version !== 2) throw new HoldfastError('HF_BACKEND_MISSING', `the distribution ${distribution.name} is of WSL 1, which has no Linux kernel`, { remedy: `run \`wsl --set-version ${distribution.name} 2\`` });
  if (/["\\]/u.test(directory)) throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `wsl.exe cannot be told the directory ${JSON.stringify(directory)}`, { remedy: 'use a directory without quotes and backslashes in its path' });
  return { program: wsl, arguments: ['--distribution', distribution.name, '--cd', directory, '--exec', ...words], environment: wslEnvironment({}, own) };
}
