import { each, flags, noSpan, opaqueEffect, takes, tool, warnsTaking } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import { argumentFiles } from './project-code.ts';

/** Compilers write, and run their plugins and programs from `-B`. */
export const cc = tool('gcc cc g++ c++ clang clang++', {
  grammar: 'long',
  options: [
    ...flags(
      '-c',
      '-S',
      '-E',
      '-g',
      '-g0',
      '-g1',
      '-g2',
      '-g3',
      '-ggdb',
      '-O',
      '-O0',
      '-O1',
      '-O2',
      '-O3',
      '-Os',
      '-Og',
      '-Ofast',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-pedantic',
      '-w',
      '-v',
      '-pthread',
      '-static',
      '-shared',
      '-fPIC',
      '-fpic',
      '-fPIE',
      '-pie',
      '-no-pie',
      '-ansi',
      '-pipe',
      '-s',
      '-M',
      '-MM',
      '-MD',
      '-MMD',
      '-MP',
      '--version',
      '-dumpversion',
      '-dumpmachine',
      '-nostdlib',
      '-rdynamic',
      '-fsyntax-only',
      '-dM',
      '-dD',
      '-dI',
      '-P',
    ),
    ...takes('text', '-x', '-MT', '-MQ', '-arch', '-u', '-target'),
    ...takes('text', '-D*', '-U*', '-l*', '-std', '-m*'),
    ...takes('read-tree', '-I*', '-L*', '-isystem', '-iquote'),
    ...takes('read', '-include'),
    ...takes('write', '-o', '-MF'),
    ...warnsTaking(opaqueEffect('inline-code', '`-B` says where the programs of the compiler are'), '-B*', '-specs'),
    ...warnsTaking(opaqueEffect('inline-code', '`-wrapper` runs a program'), '-wrapper'),
    ...warnsTaking(opaqueEffect('inline-code', '`-fplugin` loads a library'), '-fplugin', '-load'),
  ],
  operands: each('read'),
  refine: (parsed, context) =>
    parsed.operands.length === 0 ||
    hasOption(parsed, '-o', '-fsyntax-only') ||
    // The result of the preprocessor goes to the output.
    (hasOption(parsed, '-E', '-M', '-MM') && !hasOption(parsed, '-MD', '-MMD'))
      ? { opaque: argumentFiles(parsed) }
      : {
          opaque: argumentFiles(parsed),
          writes: [context.path({ kind: 'static', value: '.', span: noSpan }, 'write', 'tree')],
        },
});
