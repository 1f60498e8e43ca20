import { HoldfastError } from '../../../errors/index.ts';

const nameShape = /^[A-Za-z_][A-Za-z0-9_]*$/u;
/** What the Holdfast of the guest, its Node and its loader read for themselves: carried along, it would count before any box is there. */
const steering = /^(?:PATH|HOME|USER|LOGNAME|SHELL|ENV|BASH_ENV|TMPDIR|(?:LD|NODE|XDG|GIT|SSL|OPENSSL|GCONV|HOLDFAST)_.*)$/iu;

/**
 * The environment of wsl.exe. `WSLENV` names what is carried over: exactly the given variables, from Windows to Linux only (`/u`),
 * as they are. A `WSLENV` of the user would carry others. Throws `HF_USAGE` for a name that would be another list,
 * and for one that steers more than the command.
 */
export function wslEnvironment(variables: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(variables);
  const taken = new Set([...Object.keys(own), 'WSLENV', 'WSL_UTF8'].map((name) => name.toUpperCase()));
  const odd = names.find((name) => !nameShape.test(name) || steering.test(name) || taken.has(name.toUpperCase()));
  if (odd !== undefined) throw new HoldfastError('HF_USAGE', `the variable ${JSON.stringify(odd)} cannot be carried into WSL`, { remedy: 'give it another name' });
  return { ...own, WSL_UTF8: '1', ...variables, WSLENV: names.map((name) => `${name}/u`).join(':') };
}
