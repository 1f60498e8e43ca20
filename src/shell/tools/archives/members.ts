import { each, flags, inOrder, noSpan, opaqueEffect, takes, tool, warns } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { hasOption } from '../parsed-options.ts';
import { mayBeOption, staticWord, wordAsTyped } from '../words.ts';

export const members: readonly ToolSpec[] = [
  tool('7z 7za 7zr', {
    grammar: 'words',
    operands: inOrder(['text', 'read'], 'text'),
    refine: (parsed, context) => {
      const [verb, archive, ...rest] = parsed.operands;
      const command = verb?.kind === 'static' ? verb.value : '';
      const switches = rest.filter((word) => word.kind !== 'static' || word.value.startsWith('-'));
      const unknown = switches.map(
        (word) => ({ kind: 'unknown-option', message: 'a switch of `7z` is not known', span: word.span }) as const,
      );
      if (command === 'l' || command === 't') return { opaque: unknown };
      const here = staticWord('.');
      if (command === 'x' || command === 'e') return { opaque: unknown, writes: [context.path(here, 'write', 'tree')] };
      if (command === 'a' && archive !== undefined)
        return {
          opaque: unknown,
          writes: [context.path(archive, 'write', 'file')],
          reads: rest.filter((word) => !switches.includes(word)).map((word) => context.path(word, 'read', 'tree')),
        };
      return {
        opaque: [
          { kind: 'unknown-option', message: 'this command of `7z` is not known', span: verb?.span ?? here.span },
        ],
      };
    },
  }),
  tool('cpio', {
    options: [
      ...flags(
        '-t --list',
        '-v --verbose',
        '-d --make-directories',
        '-m --preserve-modification-time',
        '-u --unconditional',
        '-0 --null',
        '-B',
        '-c',
        '--quiet',
        '-n --numeric-uid-gid',
        '--no-absolute-filenames',
        '-o --create',
      ),
      ...takes('text', '-H --format', '-C --io-size'),
      ...takes('remote', '-I'),
      ...takes('remote-write', '-O'),
      ...takes('write-tree', '-D --directory'),
      ...takes('program', '--rsh-command'),
      ...flags('-i --extract', '--help', '--version', '-V --dot'),
      ...warns(
        opaqueEffect('unknown-option', '`--pass-through` copies to where its operand says'),
        '-p --pass-through',
      ),
    ],
    operands: each('text'),
    refine: (parsed, context) =>
      hasOption(parsed, '-i') && !hasOption(parsed, '-t')
        ? { writes: [context.path(staticWord('.'), 'write', 'tree')] }
        : {},
  }),
  tool('ar', {
    grammar: 'words',
    operands: each('text'),
    refine: (parsed, context) => {
      const [letters, archive, ...files] = parsed.operands;
      const text = letters?.kind === 'static' ? letters.value.replace(/^-/u, '') : '';
      // Options may come last, and `--plugin` and `@FILE` load code.
      const isPlain = [archive, ...files].every(
        (word) => word === undefined || (!mayBeOption(word) && !/^"?@/u.test(wordAsTyped(word))),
      );
      if (archive === undefined || !isPlain || !/^[tpxrqdcsvuDU]+$/u.test(text))
        return {
          opaque: [
            { kind: 'unknown-option', message: 'these letters of `ar` are not known', span: letters?.span ?? noSpan },
          ],
        };
      const here = staticWord('.');
      // `ar ts` is ranlib.
      if (/^[tpvuDU]+$/u.test(text)) return { reads: [context.path(archive, 'read', 'file')] };
      if (text.includes('x'))
        return { reads: [context.path(archive, 'read', 'file')], writes: [context.path(here, 'write', 'tree')] };
      return {
        writes: [context.path(archive, 'write', 'file')],
        reads: files.map((word) => context.path(word, 'read', 'file')),
      };
    },
  }),
];
