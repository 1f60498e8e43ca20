import { alike, each, flags, noSpan, takes, tool } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import type { Word } from '../../types.ts';
import { mayBeOption, plainText, wordAsTyped } from '../words.ts';

/** A further word that is no option, no address and no assignment. */
const isPlain = (word: Word): boolean =>
  word.kind === 'static'
    ? /^(?:[^-:=|][^:=|]*|-[fnvU]|--(?:verbose(?:=\d)?|json|force|force-share|backing-chain|output=\w+))$/u.test(
        word.value,
      )
    : !mayBeOption(word);

/**
 * Without one of these words in front it changes something, or takes keys. Later options may do so in spite of it:
 * `gpgconf --list-dirs -o FILE`.
 */
const onlyFirst =
  (shown: RegExp): Refine =>
  ({ operands: [first, ...others] }) =>
    shown.test(plainText(first) ?? '') && others.every(isPlain)
      ? {}
      : {
          opaque: [
            {
              kind: 'inline-code',
              message: `\`${first === undefined ? 'no word' : wordAsTyped(first)}\` is not known to only show`,
              span: first?.span ?? noSpan,
            },
          ],
        };

const show = (names: string, shown: RegExp): ToolSpec =>
  tool(names, { grammar: 'words', operands: each('text'), refine: onlyFirst(shown) });

/** Shows with one of these options, which take no part in a change. */
const shows = (names: string, options: readonly OptionSpec[]): ToolSpec =>
  tool(names, {
    options,
    operands: each('text'),
    refine: (parsed) =>
      hasOption(parsed, ...options.flatMap((option) => option.names))
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'without a question it changes something', span: noSpan }] },
  });

/** Programs of macOS, X11, sound, mail and virtual machines that show. Sources: their manuals. */
export const desktops: readonly ToolSpec[] = [
  // No option of these writes, runs or changes anything.
  ...alike(
    'ioreg pbpaste mdls mdfind mcookie acpi lsscsi getsebool rocminfo clinfo fc-list fc-match fc-query systemd-path systemd-escape pg_lsclusters',
    { grammar: 'words', operands: each('text') },
  ),
  show('diskutil', /^(?:list|info|activity)$/u),
  show('scutil', /^(?:--dns|--proxy|--nwi|--get)$/u),
  show('plutil', /^(?:-p|-lint)$/u),
  show('lipo', /^(?:-info|-archs|-detailed_info)$/u),
  show('codesign', /^(?:-dv*|-v+|--display|--verify)$/u),
  show('xattr', /^-l$/u),
  show('xcode-select', /^(?:-p|--print-path|-v|--version)$/u),
  show('pactl', /^(?:list|info|stat|get-(?:default-sink|default-source|sink-volume|sink-mute))$/u),
  show('amixer', /^(?:get|sget|scontrols|scontents|controls|contents|info)$/u),
  show('qemu-img', /^(?:info|map|compare|measure|--version)$/u),
  show('aplay arecord', /^(?:-l|-L|--list-devices|--list-pcms|--version)$/u),
  show('unsquashfs', /^-(?:l|ll|lc|lls|s|stat)$/u),
  show('vulkaninfo', /^--summary$/u),
  show('logrotate', /^(?:-d|--debug|--version)$/u),
  show('postqueue', /^-[pj]$/u),
  show('postconf', /^-[ndm]$/u),
  show('gpgconf', /^(?:--list-dirs|--list-components|--version)$/u),
  show('twine', /^(?:check|--version|--help)$/u),
  shows('wmctrl', flags('-l', '-d', '-m', '-p', '-G', '-x')),
  shows('xsel', flags('-o --output', '-b --clipboard', '-p --primary')),
  shows('upx', flags('-l', '-t', '-V --version')),
  shows('chrpath', flags('-l --list', '-v --version')),
  shows('cabextract', flags('-l --list', '-t --test', '-v --version')),
  shows('ccache', flags('-s --show-stats', '-p --show-config', '-V --version', '-h --help')),
  tool('xrandr', {
    grammar: 'long',
    options: flags('-q', '--query', '--listmonitors', '--verbose', '--version', '--listproviders'),
  }),
  tool('wl-paste', {
    options: [...flags('-l --list-types', '-n --no-newline', '-p --primary'), ...takes('text', '-t --type')],
  }),
];
