import { argumentFiles } from '../languages/project-code.ts';
import { each, flags, maybe, takes, tool } from '../notation.ts';
import type { OptionSpec, ParsedArguments, ToolSpec } from '../types.ts';

const common: readonly OptionSpec[] = [
  ...flags('-H --help', '-v -V --version', '--no-demangle', '--recurse-limit', '--no-recurse-limit'),
  ...maybe('text', '--demangle'),
  ...takes('text', '-U --unicode'),
];

const sections = '--dwarf-depth --dwarf-start --ctf --ctf-parent --ctf-symbols --ctf-strings'.split(' ');

/** `@FILE` may hold `--plugin`. */
const shown = {
  operands: each('read'),
  refine: (parsed: ParsedArguments) => ({ opaque: argumentFiles(parsed) }),
};

/** Programs of binutils and LLVM that show. `--plugin`, which loads code, is no option here. */
export const binaryTools: readonly ToolSpec[] = [
  tool('size llvm-size', {
    options: [
      ...flags('-H --help', '-V --version', '-A', '-B', '-G', '-d', '-o', '-x', '-t --totals', '--common', '-f'),
      ...takes('text', '--format', '--radix', '--target'),
    ],
    ...shown,
  }),
  tool('nm llvm-nm', {
    options: [
      ...flags('--help', '-V --version', '--no-demangle', '--recurse-limit', '--no-recurse-limit'),
      ...maybe('text', '--demangle'),
      ...flags('-a --debug-syms', '-A -o --print-file-name', '-D --dynamic', '-g --extern-only', '-l --line-numbers'),
      ...flags('-n --numeric-sort', '-p --no-sort', '-P --portability', '-r --reverse-sort', '-S --print-size'),
      ...flags('-u --undefined-only', '-C', '-B', '-e', '-j --just-symbols', '-s --print-armap', '-W --no-weak', '-h'),
      ...flags('--defined-only', '--special-syms', '--synthetic', '--with-symbol-versions', '--quiet', '--size-sort'),
      ...takes('text', '-f --format', '-t --radix', '--ifunc-chars', '--target', '--unicode'),
    ],
    ...shown,
  }),
  tool('readelf llvm-readelf eu-readelf', {
    options: [
      ...common,
      ...flags('-a --all', '-h --file-header', '-l --program-headers --segments', '-S --section-headers --sections'),
      ...flags('-e --headers', '-s --syms --symbols', '--dyn-syms', '-n --notes', '-r --relocs', '-u --unwind'),
      ...flags('-d --dynamic', '-A --arch-specific', '-c --archive-index', '-W --wide', '-I --histogram'),
      ...flags('-g --section-groups', '-t --section-details', '-D --use-dynamic', '-L --lint --enable-checks'),
      ...flags('-z --decompress', '-T --silent-truncation', '--lto-syms', '-C', '--version-info'),
      ...takes('text', '-x --hex-dump', '-p --string-dump', '-R --relocated-dump', '--sym-base', ...sections),
      ...maybe('text', '--sframe'),
    ],
    ...shown,
  }),
  tool('objdump llvm-objdump', {
    options: [
      ...flags('-H --help', '-v --version', '--recurse-limit', '--no-recurse-limit'),
      ...maybe('text', '--demangle'),
      ...takes('text', '-U --unicode'),
      ...flags('-a --archive-headers', '-f --file-headers', '-h', '-x --all-headers'),
      ...flags(
        '-d --disassemble',
        '--visualize-jumps',
        '-D --disassemble-all',
        '-S --source',
        '-s --full-contents',
        '-t --syms',
        '-T --dynamic-syms',
      ),
      ...flags(
        '-r --reloc',
        '-R --dynamic-reloc',
        '-w --wide',
        '-l --line-numbers',
        '-C',
        '-g --debugging',
        '-G --stabs',
      ),
      ...flags('-e --debugging-tags', '-i --info', '-z --disassemble-zeroes', '-F --file-offsets', '-EB', '-EL', '-p'),
      ...flags('--private-headers', '--file-start-context', '--no-addresses', '--prefix-addresses'),
      ...flags('--show-all-symbols', '--special-syms', '--inlines', '--dwarf-check', '--no-show-raw-insn'),
      ...maybe('text', '--source-comment', '--sframe'),
      ...takes('text', '-j --section', '-M --disassembler-options', '-m --architecture', '-b --target', '--endian'),
      ...takes('text', '--start-address', '--stop-address', '--insn-width', '--adjust-vma', '--prefix', '-P --private'),
      ...takes('text', '--prefix-strip', '--disassembler-color', '--dwarf-depth', '--dwarf-start', '--ctf-parent'),
    ],
    ...shown,
  }),
  tool('c++filt llvm-cxxfilt', {
    options: [
      ...flags('-_ --strip-underscore', '-n --no-strip-underscore', '-p --no-params', '-t --types', '-i --no-verbose'),
      ...flags('--help', '--version', '--no-recurse-limit', '--recurse-limit'),
      ...takes('text', '-s --format'),
    ],
    operands: each('text'),
  }),
  tool('addr2line llvm-addr2line', {
    options: [
      ...flags('-a --addresses', '-f --functions', '-i --inlines', '-p --pretty-print', '-s --basenames', '-C'),
      ...flags('-h --help', '-v --version', '-r --no-recurse-limit', '-R --recurse-limit'),
      ...maybe('text', '--demangle'),
      ...takes('read', '-e --exe'),
      ...takes('text', '-b --target', '-j --section'),
    ],
    operands: each('text'),
  }),
];
