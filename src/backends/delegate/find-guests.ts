import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import process from 'node:process';
import { firstProgram } from '../first-program.ts';
import { limaEnvironment, type LimaGuest, parseInstances } from './lima/command.ts';
import type { DelegatedCommand } from './run.ts';
import {
  decodeWslOutput,
  parseAutomount,
  parseDistributions,
  wslCommand,
  wslEnvironment,
  type WslGuest,
} from './wsl/command.ts';
import type { InsideWsl } from './wsl/inside.ts';

export type Guest = LimaGuest | WslGuest;

/**
 * Returns virtual machines on this host that could run a Linux backend. Asks their installed managers, and starts no
 * machine.
 */
export async function findGuests(
  places: { readonly limactl?: readonly string[]; readonly wsl?: readonly string[] } = {},
): Promise<readonly Guest[]> {
  const limactl = firstProgram(places.limactl ?? limactlPlaces);
  const wsl = firstProgram(places.wsl ?? wslPlaces);
  const found = await Promise.all([
    limactl === undefined ? [] : limaGuests(limactl, homedir()),
    wsl === undefined ? [] : wslGuests(wsl, windowsOwn(process.env)),
  ]);
  return found.flat();
}

/** Whether the manager of this kind of guest is installed. */
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
  return parseDistributions(decodeWslOutput(answer.stdout)).map((distribution) => ({
    kind: 'wsl2',
    wsl,
    distribution,
    automount: { kind: 'none' },
    own,
  }));
}

/** Returns the guest with the drive settings of its own `/etc/wsl.conf`. Starts a stopped distribution. */
export async function withAutomount(guest: Guest): Promise<Guest> {
  if (guest.kind !== 'wsl2') return guest;
  const answer = await ask(wslCommand(guest, '/', ['cat', '/etc/wsl.conf']));
  // Without that file `cat` fails, and the defaults apply.
  return {
    ...guest,
    automount: parseAutomount(
      answer.kind === 'answered' && answer.exitCode === 0 ? decodeWslOutput(answer.stdout) : '',
    ),
  };
}

export function guestName(guest: Guest): string {
  return guest.kind === 'lima' ? guest.instance.name : guest.distribution.name;
}

/** Returns the guest with that name. Without a name, returns the default one, or the only one. */
export function guestNamed(guests: readonly Guest[], kind: Guest['kind'], name: string | undefined): Guest | undefined {
  const those = guests.filter((guest) => guest.kind === kind);
  if (name !== undefined) return those.find((guest) => guestName(guest).toLowerCase() === name.toLowerCase());
  return those.find(isDefault) ?? (those.length === 1 ? those[0] : undefined);
}

function isDefault(guest: Guest): boolean {
  return guest.kind === 'lima' ? guest.instance.name === 'default' : guest.distribution.isDefault;
}

function windowsOwn(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const names = ['SystemRoot', 'SystemDrive', 'USERPROFILE', 'LOCALAPPDATA', 'TEMP'];
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** Only directories of systems and package managers, never taken from PATH or a variable. */
const limactlPlaces: readonly string[] = [
  '/opt/homebrew/bin/limactl',
  '/usr/local/bin/limactl',
  '/opt/local/bin/limactl',
  '/usr/bin/limactl',
  '/run/current-system/sw/bin/limactl',
];
const wslPlaces: readonly string[] =
  process.platform === 'win32' ? ['C:\\Windows\\System32\\wsl.exe', 'C:\\Program Files\\WSL\\wsl.exe'] : [];

type Answer =
  | { readonly kind: 'answered'; readonly stdout: Buffer; readonly exitCode: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Milliseconds for a command that only reports something. It may need an ssh connection to a guest. */
const patience = 20_000;
const mostBytes = 1 << 20;

/**
 * Returns the output of a program of the host. Never rejects. A program that does not end in time, or prints too much,
 * is killed.
 */
export function ask(
  { program, arguments: words, environment }: DelegatedCommand,
  milliseconds: number = patience,
): Promise<Answer> {
  return new Promise((resolve) => {
    const child = spawn(program, [...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (reason: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout.destroy();
      resolve({ kind: 'failed', reason });
    };
    const timer = setTimeout(() => fail(`it did not end within ${milliseconds / 1000} s`), milliseconds);
    child.once('error', (error) => fail(error.message));
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostBytes) fail('it prints too much');
      else chunks.push(chunk);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(
        code === null
          ? { kind: 'failed', reason: `${signal} ended it` }
          : { kind: 'answered', stdout: Buffer.concat(chunks), exitCode: code },
      );
    });
  });
}

/** Label of everything here: none of it has run on a machine of this project. */
export const delegateLabel = 'generated, not run';

/** Returns one line for `holdfast doctor`. */
export function describeGuest(guest: Guest): string {
  const state = guest.kind === 'lima' ? `Lima instance, ${guest.instance.status}` : `WSL ${guest.distribution.version}`;
  return `${guest.kind}:${guestName(guest)} (${state}): boxes of the Linux inside it (${delegateLabel})`;
}

/** Returns one line, or no line outside WSL. */
export function describeInside(inside: InsideWsl): readonly string[] {
  if (inside.kind === 'no') return [];
  const interop = inside.interop === 'on' ? '; programs of Windows can be started outside of boxes' : '';
  return [
    `this is a Linux of ${inside.kind === 'wsl2' ? 'WSL2' : 'WSL 1, whose kernel holds no box'}${interop} (${delegateLabel})`,
  ];
}

/** Returns the command as data, never as a line for a shell. */
export function describeDelegation({ program, arguments: words, environment }: DelegatedCommand): string {
  return [
    `# ${delegateLabel}`,
    ...Object.entries(environment).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    program,
    ...words.map((word) => `  ${JSON.stringify(word)}`),
    '',
  ].join('\n');
}
