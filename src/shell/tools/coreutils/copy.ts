import type { Word } from '../../types.ts';
import { each, flags, inOrder, maybe, takes } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { mayBeSeveral, wordAsTyped, staticWord } from '../words.ts';
import { gnu } from './gnu.ts';
import { hasOption } from '../parsed-options.ts';

/*
 * The last operand may be a directory, so the command writes it or something below it. Options that keep backups are
 * left out: they write beside the destination.
 */
const intoDirectory: OptionSpec = {
  names: ['-t', '--target-directory'],
  value: 'required',
  role: 'write-tree',
  operands: each('read'),
};
const deep = (...spellings: readonly string[]): readonly OptionSpec[] =>
  spellings.map((names) => ({ names: names.split(' '), deep: true }));
const fileToFile = inOrder([], 'read', 'write-tree');

const cp = gnu('cp', {
  dash: 'file',
  operands: fileToFile,
  options: [
    ...deep('-a --archive', '-r -R --recursive'),
    ...flags(
      '--attributes-only',
      '--copy-contents',
      '-d',
      '-f --force',
      '-i --interactive',
      '-H',
      '-l --link',
      '-L --dereference',
      '-n --no-clobber',
      '-P --no-dereference',
      '-p',
    ),
    ...flags(
      '--parents',
      '--remove-destination',
      '--strip-trailing-slashes',
      '-s --symbolic-link',
      '-T --no-target-directory',
      '-u --update',
      '-v --verbose',
      '-x --one-file-system',
      '-Z',
    ),
    ...maybe('text', '--preserve', '--reflink', '--context'),
    ...takes('text', '--no-preserve', '--sparse'),
    intoDirectory,
  ],
});

/** A moved file is read, and then gone. */
const moves: Refine = (parsed, { path }) => {
  const hasTarget = hasOption(parsed, '-t');
  const sources = hasTarget ? parsed.operands : parsed.operands.slice(0, -1);
  return { reads: sources.map((word) => path(word, 'read', 'tree')) };
};

const mv = gnu('mv', {
  dash: 'file',
  operands: inOrder([], 'delete-tree', 'write-tree'),
  options: [
    ...flags(
      '-f --force',
      '-i --interactive',
      '-n --no-clobber',
      '--strip-trailing-slashes',
      '-T --no-target-directory',
      '-u --update',
      '-v --verbose',
      '-Z --context',
    ),
    { ...intoDirectory, operands: each('delete-tree') },
  ],
  refine: moves,
});

/** With one operand, the link gets the target's last name, in the working directory. */
const linksHere: Refine = (parsed, { path }) => {
  const [target, second] = parsed.operands;
  if (target === undefined || second !== undefined || mayBeSeveral(target)) return {};
  return { writes: [path(staticWord(lastName(target)), 'write', 'file')] };
};

function lastName(word: Word): string {
  return (
    wordAsTyped(word)
      .replace(/(?<!\/)\/+$/u, '')
      .replace(/^.*\//su, '') || '.'
  );
}

const ln = gnu('ln', {
  dash: 'file',
  operands: fileToFile,
  options: [
    // A symbolic link reads nothing: its target is a text.
    { names: ['-s', '--symbolic'], operands: inOrder([], 'text', 'write-tree') },
    ...flags(
      '-f --force',
      '-i --interactive',
      '-L --logical',
      '-n --no-dereference',
      '-P --physical',
      '-r --relative',
      '-T --no-target-directory',
      '-v --verbose',
    ),
    intoDirectory,
  ],
  refine: linksHere,
});

const install = gnu('install', {
  dash: 'file',
  operands: fileToFile,
  options: [
    { names: ['-d', '--directory'], operands: each('write') },
    ...flags(
      '-c',
      '-C --compare',
      '-D',
      '-p --preserve-timestamps',
      '-T --no-target-directory',
      '-v --verbose',
      '--preserve-context',
      '-Z',
    ),
    ...takes('text', '-g --group', '-m --mode', '-o --owner'),
    ...maybe('text', '--context'),
    { names: ['-s', '--strip'], effect: { kind: 'runs', runs: { what: 'strip', kind: 'program' } } },
    ...takes('program', '--strip-program'),
    intoDirectory,
  ],
});

const link = gnu('link', { dash: 'file', operands: inOrder(['read', 'write']) });

export const copyTools: readonly ToolSpec[] = [cp, mv, ln, install, link];
