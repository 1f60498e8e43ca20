import { each, flags, noSpan, opaqueEffect, takes, tool, unknownHost, warns, warnsTaking } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import { wordAsTyped } from '../words.ts';
import { changesSystem } from './system-changes.ts';

export const dpkg = tool('dpkg', {
  options: [
    ...flags(
      '-l --list',
      '-s --status',
      '-L --listfiles',
      '-S --search',
      '-p --print-avail',
      '--get-selections',
      '--print-architecture',
      '--print-foreign-architectures',
      '--audit -C',
      '--verify -V',
      '--version',
      '--help',
    ),
    ...flags('--no-pager', '--compare-versions', '--robot'),
    ...takes('read', '-I --info', '-c --contents', '-f --field'),
    ...warns(
      changesSystem,
      '-i --install',
      '-r --remove',
      '-P --purge',
      '--unpack',
      '--configure',
      '-a --pending',
      '--set-selections',
      '--add-architecture',
      '--clear-selections',
    ),
    ...warns(
      opaqueEffect('unknown-option', 'extracts to where its operand says'),
      '-x --extract',
      '-X --vextract',
      '-e --control',
    ),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--pre-invoke` and `--post-invoke` run a command'),
      '--pre-invoke',
      '--post-invoke',
      '--root',
      '--admindir',
      '--instdir',
    ),
    ...takes('text', '-D --debug'),
  ],
  operands: each('text'),
});

export const dpkgDeb = tool('dpkg-deb', {
  options: [
    ...flags('--help', '--version', '-v --verbose'),
    ...takes('read', '-I --info', '-c --contents', '-f --field', '-W --show'),
    ...takes('text', '--showformat'),
  ],
  operands: each('text'),
});

export const dpkgQuery = tool('dpkg-query', {
  options: [
    ...flags('-l --list', '-s --status', '-L --listfiles', '-S --search', '-W --show', '-p --print-avail', '--version'),
    ...flags('--help', '--no-pager', '-c --control-path', '--control-list', '--control-show', '--load-avail'),
    ...takes('text', '-f --showformat'),
    ...takes('read-tree', '--admindir'),
  ],
  operands: each('text'),
});

export const rpm = tool('rpm', {
  options: [
    ...flags(
      '-q --query',
      '-a --all',
      '-i --info',
      '-l --list',
      '-f --file',
      '-p --package',
      '-R --requires',
      '-V --verify',
      '-d --docfiles',
      '-c --configfiles',
      '-v --verbose',
      '-h --hash',
      '--changelog',
      '--scripts',
      '--provides',
      '--whatprovides',
      '--version',
      '-s --state',
    ),
    ...takes('text', '--qf --queryformat'),
    ...warns(
      changesSystem,
      '-U --upgrade',
      '-F --freshen',
      '-e --erase',
      '--install',
      '--import',
      '--initdb',
      '--rebuilddb',
    ),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--define`, `--eval`, `--pipe` and `--rcfile` run macros and commands'),
      '-D --define',
      '-E --eval',
      '--pipe',
      '--rcfile',
      '--macros',
      '--load',
      '--root',
      '-r',
    ),
  ],
  operands: each('text'),
  // `-i` installs unless `-q` makes it a query.
  refine: (parsed) => {
    const has = (name: string) => parsed.options.some(({ spec }) => spec.names.includes(name));
    const urls = parsed.operands.map(wordAsTyped).filter((text) => text.includes('://'));
    const hosts = urls.map(unknownHost);
    return has('-q') || has('-V') || has('--version') || !has('-i')
      ? { hosts }
      : {
          hosts,
          opaque: [
            {
              kind: 'inline-code',
              message: '`-i` installs a package, whose scripts run',
              span: parsed.operands[0]?.span ?? { start: 0, end: 0 },
            },
          ],
        };
  },
});

export const pacman = tool('pacman yay paru', {
  options: [
    ...flags(
      '-Q --query',
      '-s --search',
      '-i --info',
      '-l --list',
      '-o --owns',
      '-q --quiet',
      '-e --explicit',
      '-d --deps',
      '-m --foreign',
      '-n --native',
      '-t --unrequired',
      '-k --check',
      '-v --verbose',
      '--noconfirm',
      '--needed',
      '-V --version',
      '-h --help',
      '-g --groups',
      '-p --print',
      '-F --files',
    ),
    ...warns(
      changesSystem,
      '-S --sync',
      '-R --remove',
      '-U --upgrade',
      '-D --database',
      '-y --refresh',
      '-u --sysupgrade',
      '-c --clean',
      '-w --downloadonly',
    ),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--config`, `--hookdir` and `--root` select programs to run'),
      '--config',
      '--hookdir',
      '--root',
      '-r',
      '-b --dbpath',
      '--sysroot',
    ),
  ],
  operands: each('text'),
  // `yay` alone upgrades the system, and `yay NAME` installs.
  refine: (parsed) =>
    hasOption(parsed, '-Q', '-F', '-V', '-h')
      ? {}
      : { opaque: [{ kind: 'inline-code', message: 'upgrades or installs packages', span: noSpan }] },
});
