/**
 * Programs that pack, unpack and compress. Specifications and their refinements only: nothing is looked up on the
 * machine.
 */
import { flags, inOrder, opaqueEffect, takes, tool, warns } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { compressors } from './compressors.ts';
import { members } from './members.ts';
import { tar } from './tar.ts';
import { hasOption } from '../parsed-options.ts';

const containers: readonly ToolSpec[] = [
  tool('zip', {
    options: [
      ...flags(
        '-r',
        '-q',
        '-v',
        '-j',
        '-u',
        '-f',
        '-D',
        '-X',
        '-y',
        '-9',
        '-0',
        '-1',
        '-6',
        '-e',
        '-o',
        '-g',
        '-h',
      ).map((option) => (option.names.includes('-r') ? { ...option, deep: true as const } : option)),
      ...takes('text', '-x', '-i', '-P', '-n', '-s', '-t'),
      ...takes('write-tree', '-b'),
      ...warns(opaqueEffect('inline-code', '`-T` runs an unpacker, which `-TT` or `$UNZIP` names'), '-T'),
      ...warns(opaqueEffect('unknown-option', '`-m` deletes the packed files'), '-m --move'),
      ...warns(opaqueEffect('stdin-code', '`-@` takes names from the input'), '-@'),
    ],
    operands: inOrder(['write'], 'read'),
  }),
  tool('unzip', {
    options: [
      ...flags(
        '-l',
        '-t',
        '-v',
        '-Z',
        '-1',
        '-2',
        '-p',
        '-c',
        '-o',
        '-n',
        '-q',
        '-u',
        '-f',
        '-j',
        '-a',
        '-L',
        '-C',
        '-B',
        '-X',
        '-K',
        '-V',
        '-z',
        '-h',
      ),
      ...takes('text', '-x', '-P', '-O'),
      ...takes('write-tree', '-d'),
    ],
    operands: inOrder(['read'], 'text'),
    refine: (parsed, context) =>
      hasOption(parsed, '-l', '-t', '-v', '-Z', '-p', '-c', '-z', '-d', '-h') ||
      // As the only option, `-x` extracts, and its value is the archive.
      (parsed.operands.length === 0 && !hasOption(parsed, '-x'))
        ? {}
        : { writes: [context.path(staticWord('.'), 'write', 'tree')] },
  }),
  tool('zipinfo', {
    options: flags('-1', '-2', '-s', '-m', '-l', '-v', '-h', '-t', '-z', '-C', '-T', '-M'),
    operands: inOrder(['read'], 'text'),
  }),
];

const compressionTools: readonly ToolSpec[] = [...compressors, ...containers, ...members];

export const archivesTools: readonly ToolSpec[] = [tar, ...compressionTools];
