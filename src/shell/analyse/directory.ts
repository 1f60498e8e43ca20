import { absoluteIn, type PathBase } from '../tools/paths.ts';
import { plainText } from '../tools/words.ts';
import type { Word } from '../types.ts';
import { anywhere, type FoundCommand, type Directory, type Either, type Move, type Shell } from './command.ts';

/**
 * Follows the working directory. A `cd` may fail, so the directory is certain only after `&&`, or after `|| exit`. An
 * uncertain directory is `unknown`, never the likely one (CVE-2026-25722).
 */
export function enterDirectory(command: FoundCommand): void {
  const { parsed, scope, shells } = command;
  const entered = shells.entered.get(parsed.shell);
  if (entered !== undefined) settle(entered, parsed);
  const shell = entered ?? enterShell(command);
  const isLost = parsed.place === 'branch' && scope.wanders;
  command.cwd = isLost ? 'unknown' : shell.cwd;
  command.either = isLost ? undefined : shell.either;
}

export function leaveDirectory(command: FoundCommand, move: Move): void {
  const { parsed } = command;
  const shell = shellOf(command);
  if (move.kind === 'stays' || shell === undefined || (move.kind === 'to' && move.path === shell.cwd)) return;
  const isCertain = move.kind === 'to' && parsed.place === 'list' && parsed.after !== 'failure';
  shell.before = movedOrNot(shell);
  shell.either = undefined;
  shell.cwd = isCertain ? move.path : 'unknown';
  shell.provisional = isCertain;
}

export function shellOf({ parsed, shells }: FoundCommand): Shell | undefined {
  return shells.entered.get(parsed.shell);
}

export function newShell(cwd: string | 'unknown', either?: Either): Shell {
  return { start: { cwd, either }, cwd, either, before: undefined, provisional: false };
}

function settle(shell: Shell, { after, place, argv }: FoundCommand['parsed']): void {
  if (!shell.provisional || after === 'success') return;
  const either = movedOrNot(shell);
  shell.provisional = false;
  if (after === 'failure' && place === 'list' && leaves.has(plainText(argv[0]) ?? '')) return;
  shell.either = either;
  shell.cwd = 'unknown';
}

/** More directories would not help anyone. */
const mostDirectories = 4;

function movedOrNot({ before, cwd, either, provisional }: Shell): Either {
  if (cwd === 'unknown') return either;
  if (!provisional) return [cwd];
  return before === undefined || before.length >= mostDirectories ? undefined : [...new Set([...before, cwd])];
}

/** Later commands in the list do not run after these. */
const leaves: ReadonlySet<string> = new Set(['exit', 'return']);

/** A copy of a shell starts in that shell's directory. */
function enterShell(command: FoundCommand): Shell {
  const { parsed, shells } = command;
  const { cwd, either } = startOf(command);
  const shell = newShell(cwd, either);
  shells.entered.set(parsed.shell, shell);
  return shell;
}

function startOf(command: FoundCommand): Directory {
  const { parsed, parent, from, shells } = command;
  const number = shells.copies[parsed.shell];
  const around = shellAround(command);
  const original = around === undefined ? undefined : shells.entered.get(around);
  // A substitution runs in the directory of its command. Stages of a pipeline start together.
  if (
    parsed.relation === 'substitution' &&
    parent !== undefined &&
    parent.id >= 0 &&
    parent.shells === shells &&
    parent.parsed.shell === around
  )
    return { cwd: parent.cwd, either: parent.either };
  if (parsed.stdin.kind === 'pipe' && from !== undefined && shells.copies[from.parsed.shell] === number)
    return shellOf(from)?.start ?? lost;
  if (original === undefined) return lost;
  if (original.provisional && parsed.after !== 'success') return { cwd: 'unknown', either: movedOrNot(original) };
  return { cwd: original.cwd, either: original.either };
}

/**
 * Returns the shell that this one copies. Skips shells without a command of their own, because their directory is that
 * of the shell they copy.
 */
function shellAround({ parsed, parent, shells }: FoundCommand): number | undefined {
  const ends = parent?.shells === shells ? parent.parsed.shell : undefined;
  let number = shells.copies[parsed.shell];
  while (number !== undefined && number !== ends && !shells.entered.has(number)) number = shells.copies[number];
  return number;
}

const lost: Directory = { cwd: 'unknown', either: undefined };

/** Returns where `cd` and `pushd` go. */
export function moveOf(program: string, words: readonly Word[], place: PathBase): Move {
  const flags = countFlags(words);
  // With `-n` only the directory stack changes.
  if (
    program === 'popd' ||
    (program === 'pushd' && words.slice(0, flags).some((word) => /n/u.test(plainText(word) ?? '')))
  )
    return anywhere;
  const operands = words.slice(flags);
  const [target] = operands;
  if (operands.length > 1 || target?.kind === 'glob' || target?.kind === 'dynamic') return anywhere;
  if (target === undefined) return program === 'cd' ? { kind: 'to', path: place.home } : anywhere;
  if (target.lead === undefined && /^(?:-?$|[-+]\d)/u.test(target.value)) return anywhere;
  const isPhysical = words.slice(0, flags).some((word) => /^-.*P/u.test(plainText(word) ?? ''));
  // In a physical path, `..` is the parent of a link's target.
  if (isPhysical && target.value.split('/').includes('..')) return anywhere;
  const path = target.lead === 'home' ? absoluteIn(place.home + target.value, place) : absoluteIn(target.value, place);
  return path === undefined ? anywhere : { kind: 'to', path };
}

/** Whether a text contains a word that may change the directory of its shell. */
export function textMayMove(text: string): boolean {
  return /[$`]|(?:^|[\s;&|(){}])(?:cd|pushd|popd|eval|source|\.)(?=\s|$)/u.test(text);
}

/** Options come first and end with `--`; after it, `-P` is the name of a directory. */
function countFlags(words: readonly Word[]): number {
  const end = words.findIndex((word) => !/^-[LPen@]+$/u.test(plainText(word) ?? ''));
  if (end === -1) return words.length;
  return plainText(words[end]) === '--' ? end + 1 : end;
}

/** Commands that may change the directory of their shell. */
const movers: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'eval', 'source', '.', 'trap']);

export function mayMove(argv: readonly Word[]): boolean {
  const [program, next] = argv;
  if (program === undefined) return false;
  const name = plainText(program);
  if (name === 'command' || name === 'builtin')
    return (
      next !== undefined && ((plainText(next)?.startsWith('-') ?? true) ? true : movers.has(plainText(next) ?? 'cd'))
    );
  return name === undefined || movers.has(name);
}
