import { alike, each, flags, inOrder, maybe, noSpan, takes, tool, toolFamily } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { plainText, wordAsTyped } from '../words.ts';

const manual = flags('-h --help', '-V --version');

/** Each of these options turns a program that changes its files into one that shows them. */
const writesUnless =
  (...options: readonly string[]): Refine =>
  (parsed, { path }) =>
    hasOption(parsed, ...options, '--help', '--version')
      ? {}
      : { writes: parsed.operands.map((word) => path(word, 'write', 'file')) };

/** `put` and `delete` write to the file. */
const selects: Refine = ({ operands: [verb] }) =>
  verb !== undefined && /^(?:put|delete|completion)$/u.test(plainText(verb) ?? 'put')
    ? { opaque: [{ kind: 'inline-code', message: `\`dasel ${wordAsTyped(verb)}\` changes a file`, span: verb.span }] }
    : {};

/** `gron https://…` asks a server. */
const filesOrServers: Refine = ({ operands }, { path }) => {
  const servers = operands.filter((word) => /^https?:/u.test(wordAsTyped(word)));
  return {
    hosts: servers.map((word) => ({ host: undefined, port: undefined, text: wordAsTyped(word) })),
    reads: operands.filter((word) => !servers.includes(word)).map((word) => path(word, 'read', 'file')),
  };
};

/** Programs that show files of a format. Sources: their manuals in Debian 12, and `--help` of the others. */
export const shownFormats: readonly ToolSpec[] = [
  // No option of these writes, runs or connects.
  ...alike('b3sum lz4cat lsar rpm2cpio soxi antiword catdoc chardetect chardetect3 wasm-objdump otool', {
    grammar: 'words',
    operands: each('read'),
  }),
  ...alike('datamash envsubst lsb_release', { grammar: 'words', operands: each('text') }),
  tool('wdiff', {
    options: [
      ...manual,
      ...flags('-1 --no-deleted', '-2 --no-inserted', '-3 --no-common', '-i --ignore-case', '-n --avoid-wraps'),
      ...flags('-p --printer', '-s --statistics', '-t --terminal', '-l --less-mode', '-C --copyright'),
      ...takes('text', '-w --start-delete', '-x --end-delete', '-y --start-insert', '-z --end-insert'),
    ],
    operands: each('read'),
  }),
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
  tool('gron', {
    options: [
      ...manual,
      ...flags('-u --ungron', '-c --colorize', '-m --monochrome', '-s --stream', '-k --insecure', '-j --json'),
      ...flags('-v --values', '--no-sort'),
    ],
    operands: each('text'),
    refine: filesOrServers,
  }),
  tool('dasel', {
    options: [
      ...manual,
      ...flags('-n --null', '-m --multiple', '-c --compact', '--plain', '--pretty', '--escape-html', '-a --all'),
      ...takes('text', '-r --read', '-w --write', '-p --parser', '-s --selector', '--colour', '--format'),
      ...takes('read', '-f --file'),
    ],
    operands: each('text'),
    refine: selects,
  }),
  toolFamily(
    'xmlstarlet xml',
    [
      tool('sel select', {
        options: [
          ...flags('-C --comp', '-R --root', '-T --text', '-I --indent', '-D --xml-decl', '-B --noblanks', '-n --nl'),
          ...flags('-t --template', '-b --break', '--else', '-Q --quiet', '-f --inp-name', '--help'),
          ...takes('text', '-E --encode', '-N', '-c --copy-of', '-v --value-of', '-o --output', '-m --match'),
          ...takes('text', '-i --if', '--elif', '-e --elem', '-a --attr', '-s --sort', '--var'),
        ],
        operands: each('read'),
      }),
      tool('el elements', { options: flags('-a', '-v', '-u', '--help'), operands: each('read') }),
      tool('val validate', {
        options: flags('-w --well-formed', '-e --err', '-b', '-q', '--help'),
        operands: each('read'),
      }),
      tool('fo format', {
        options: [...flags('-n --noindent', '-t --indent-tab', '-o --omit-decl', '--help'), ...takes('text', '-s')],
        operands: each('read'),
      }),
      tool('ed edit', {
        options: [
          ...flags('-P --pf', '-S --ps', '-O --omit-decl', '--help'),
          ...takes('text', '-N', '-d --delete', '-u --update', '-v --value', '-x --expr', '-r --rename', '-n --name'),
          ...takes('text', '-a --append', '-i --insert', '-s --subnode', '-t --type', '-m --move', '--var'),
          { names: ['-L', '--inplace'], operands: each('write') },
        ],
        operands: each('read'),
      }),
    ],
    { options: flags('--version', '--help') },
  ),
  tool('htmlq', {
    options: [
      ...manual,
      ...flags('-t --text', '-p --pretty', '-w --ignore-whitespace', '-B --detect-base'),
      ...takes('text', '-a --attribute', '-b --base', '-r --remove-nodes'),
      ...takes('read', '-f --filename'),
      ...takes('write', '-o --output'),
    ],
    operands: each('text'),
  }),
  tool('pup', {
    options: [
      ...flags('-c --color', '-n --number', '-p --plain', '--pre', '-h --help', '--version'),
      ...takes('text', '-i --indent', '-l --limit', '--charset'),
      ...takes('read', '-f --file'),
    ],
    operands: each('text'),
  }),
  tool('mediainfo', {
    options: [...flags('-f --Full', '--Help', '--Version'), ...maybe('text', '--Language')],
    operands: each('read'),
  }),
  tool('pngcheck', { options: flags('-7', '-c', '-f', '-h', '-p', '-q', '-t', '-v'), operands: each('read') }),
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
  tool('aspell', {
    options: [...flags('-v --version', '--help'), ...takes('text', '-l --lang', '--mode')],
    operands: each('text'),
    refine: ({ operands: [verb] }) =>
      verb === undefined || plainText(verb) === 'list'
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'this command of `aspell` changes files', span: noSpan }] },
  }),
  tool('hunspell', {
    options: [...flags('-l', '-D', '-v --version', '-h --help'), ...takes('text', '-d', '-i')],
    operands: each('read'),
    refine: (parsed) =>
      hasOption(parsed, '-l', '-D', '--version', '--help')
        ? {}
        : { opaque: [{ kind: 'inline-code', message: '`hunspell` without `-l` takes keys', span: noSpan }] },
  }),
  tool('dos2unix unix2dos', {
    options: [
      ...flags('-q --quiet', '-f --force', '-k --keepdate', '-h --help', '-V --version', '-O --to-stdout'),
      ...maybe('text', '-i --info'),
    ],
    operands: each('read'),
    refine: writesUnless('-i', '-O'),
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
  tool('sponge', { options: flags('-a', '-h'), operands: each('write') }),
  tool('fallocate', {
    options: [
      ...flags('-c --collapse-range', '-d --dig-holes', '-i --insert-range', '-n --keep-size', '-p --punch-hole'),
      ...flags('-v --verbose', '-x --posix', '-z --zero-range', '-h --help', '-V --version'),
      ...takes('text', '-l --length', '-o --offset'),
    ],
    operands: each('write'),
  }),
];
