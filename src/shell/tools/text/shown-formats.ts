import { alike, each, fetchesUrls, flags, inOrder, maybe, noSpan, takes, tool, toolFamily } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';

/** Each of these options turns a program that changes its files into one that shows them. */
const writesUnless =
  (...options: readonly string[]): Refine =>
  (parsed, { path }) =>
    hasOption(parsed, ...options, '--help', '--version')
      ? {}
      : { writes: parsed.operands.map((word) => path(word, 'write', 'file')) };

/** Programs that show files of a format. Sources: their manuals in Debian 12, and `--help` of the others. */
export const shownFormats: readonly ToolSpec[] = [
  // No option of these writes, runs or connects.
  ...alike('b3sum lsar antiword catdoc chardetect chardetect3 uchardet wasm-objdump otool', {
    grammar: 'words',
    operands: each('read'),
  }),
  ...alike('ncdump h5ls pdffonts rpm2cpio', { grammar: 'words', operands: each('read'), refine: fetchesUrls }),
  ...alike('datamash envsubst lsb_release', { grammar: 'words', operands: each('text') }),
  toolFamily(
    'unrar rar',
    [tool('l lb lt lta v vb vt t p', { options: flags('-r', '-v'), operands: inOrder(['read'], 'text') })],
    {},
  ),
  tool('bsdtar', {
    options: [...flags('-t --list', '-v --verbose', '-z', '-j', '-J', '--version'), ...takes('read', '-f --file')],
    operands: each('text'),
    refine: (parsed) =>
      hasOption(parsed, '-t', '--version')
        ? {}
        : { opaque: [{ kind: 'inline-code', message: '`bsdtar` writes where the archive says', span: noSpan }] },
  }),
  tool('mediainfo', {
    options: [...flags('-f --Full', '--Help', '--Version'), ...maybe('text', '--Language')],
    operands: each('read'),
    refine: fetchesUrls,
  }),
  tool('pngcheck', { options: flags('-7', '-c', '-p', '-q', '-t', '-v'), operands: each('read') }),
  tool('qpdf', {
    grammar: 'long',
    options: flags(
      '--check',
      '--show-npages',
      '--show-encryption',
      '--list-attachments',
      '--version',
      '--help',
      '--is-encrypted',
    ),
    operands: each('read'),
    // Without a question the last operand is written.
    refine: (parsed) =>
      parsed.options.length > 0 && parsed.operands.length < 2
        ? {}
        : { opaque: [{ kind: 'inline-code', message: '`qpdf` writes its last operand', span: noSpan }] },
  }),
  tool('dos2unix unix2dos', {
    options: [
      ...flags('-q --quiet', '-f --force', '-k --keepdate', '-h --help', '-V --version'),
      ...maybe('text', '-i --info'),
    ],
    operands: each('read'),
    refine: writesUnless(),
  }),
  tool('patchelf', {
    grammar: 'long',
    options: [
      ...flags('--print-rpath', '--print-needed', '--print-soname', '--print-interpreter', '--print-os-abi'),
      ...flags('--version', '--help'),
      ...takes('text', '--set-rpath', '--set-interpreter', '--add-needed', '--remove-needed', '--set-soname'),
      ...flags('--remove-rpath', '--shrink-rpath', '--force-rpath'),
    ],
    operands: each('read'),
    refine: writesUnless('--print-rpath', '--print-needed', '--print-soname', '--print-interpreter', '--print-os-abi'),
  }),
  tool('dwarfdump llvm-dwarfdump', {
    options: [
      ...flags('-a --all', '-i --debug-info', '-l --debug-line', '-f', '-r', '-p', '-m', '-s', '-y', '-v'),
      ...takes('text', '-n --name'),
    ],
    operands: each('read'),
  }),
  tool('strip', {
    options: [
      ...flags('-s --strip-all', '-g -S -d --strip-debug', '--strip-unneeded', '-v --verbose', '-p', '-x', '-X'),
      ...flags('-h --help', '-V --version'),
      ...takes('text', '-K --keep-symbol', '-N --strip-symbol', '-R --remove-section'),
      { names: ['-o'], value: 'required', role: 'write', operands: each('read') },
    ],
    operands: each('write'),
  }),
  tool('sponge', { dash: 'file', options: flags('-a', '-h'), operands: each('write') }),
  tool('fallocate', {
    options: [
      ...flags('-c --collapse-range', '-d --dig-holes', '-i --insert-range', '-n --keep-size', '-p --punch-hole'),
      ...flags('-v --verbose', '-x --posix', '-z --zero-range', '-h --help', '-V --version'),
      ...takes('text', '-l --length', '-o --offset'),
    ],
    operands: each('write'),
  }),
];
