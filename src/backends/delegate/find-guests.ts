import { homedir } from 'node:os';
import process from 'node:process';
import { firstProgram } from '../first-program.ts';
import { ask } from './ask.ts';
import { limaEnvironment, type LimaGuest } from './lima/command.ts';
import { parseInstances } from './lima/instances.ts';
import { limactlPlaces, wslPlaces } from './places.ts';
import { wslCommand, type WslGuest } from './wsl/command.ts';
import { parseAutomount } from './wsl/conf.ts';
import { wslEnvironment } from './wsl/environment.ts';
import { decodeWslOutput, parseDistributions } from './wsl/list.ts';

export type Guest = LimaGuest | WslGuest;

/** Machines beside this one in which a Linux backend could run. Asks their managers where they are installed; starts no machine. */
export async function findGuests(places: { readonly limactl?: readonly string[]; readonly wsl?: readonly string[] } = {}): Promise<readonly Guest[]> {
  const limactl = firstProgram(places.limactl ?? limactlPlaces);
  const wsl = firstProgram(places.wsl ?? wslPlaces);
  const found = await Promise.all([limactl === undefined ? [] : limaGuests(limactl, homedir()), wsl === undefined ? [] : wslGuests(wsl, windowsOwn(process.env))]);
  return found.flat();
}

/** Whether the program that manages such guests is installed. */
export function hasManager(kind: Guest['kind']): boolean {
  return firstProgram(kind === 'lima' ? limactlPlaces : wslPlaces) !== undefined;
}

async function limaGuests(limactl: string, home: string): Promise<readonly Guest[]> {
  const answer = await ask({ program: limactl, arguments: ['list', '--json'], environment: limaEnvironment(home) });
  if (answer.kind === 'failed' || answer.exitCode !== 0) return [];
  return parseInstances(answer.stdout.toString()).map((instance) => ({ kind: 'lima', limactl, instance, home }));
}

async function wslGuests(wsl: string, own: Readonly<Record<string, string>>): Promise<readonly Guest[]> {
  const answer = await ask({ program: wsl, arguments: ['--list', '--verbose'], environment: wslEnvironment({}, own) });
  if (answer.kind === 'failed' || answer.exitCode !== 0) return [];
  return parseDistributions(decodeWslOutput(answer.stdout)).map((distribution) => ({ kind: 'wsl2', wsl, distribution, automount: { kind: 'none' }, own }));
}

/** The guest with what its own `/etc/wsl.conf` says of the drives. Starts a distribution that is stopped. */
export async function withAutomount(guest: Guest): Promise<Guest> {
  if (guest.kind !== 'wsl2') return guest;
  const answer = await ask(wslCommand(guest, '/', ['cat', '/etc/wsl.conf']));
  // Without that file cat fails, and the defaults count.
  return { ...guest, automount: parseAutomount(answer.kind === 'answered' && answer.exitCode === 0 ? decodeWslOutput(answer.stdout) : '') };
}

export function nameOf(guest: Guest): string {
  return guest.kind === 'lima' ? guest.instance.name : guest.distribution.name;
}

/** The one with that name; without a name the default one, or the only one. */
export function guestNamed(guests: readonly Guest[], kind: Guest['kind'], name: string | undefined): Guest | undefined {
  const those = guests.filter((guest) => guest.kind === kind);
  if (name !== undefined) return those.find((guest) => nameOf(guest).toLowerCase() === name.toLowerCase());
  return those.find(isDefault) ?? (those.length === 1 ? those[0] : undefined);
}

function isDefault(guest: Guest): boolean {
  return guest.kind === 'lima' ? guest.instance.name === 'default' : guest.distribution.isDefault;
}

function windowsOwn(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const names = ['SystemRoot', 'SystemDrive', 'USERPROFILE', 'LOCALAPPDATA', 'TEMP'];
  return Object.fromEntries(names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])));
}
