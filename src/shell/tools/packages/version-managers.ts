import { each, flags, opaqueEffect, tool, toolFamily } from '../notation.ts';
import type { ToolSpec } from '../types.ts';

const changesVersions = opaqueEffect('unknown-option', 'changes versions of languages that are installed or in use');

/** Managers of the versions of a language: the words that show, and those that change. */
const versionManager = (names: string, shows: string, changes: string): ToolSpec =>
  toolFamily(
    names,
    [
      tool(shows, { options: flags('--bare', '--path', '--no-colors'), operands: each('text') }),
      tool(changes, { grammar: 'words', operands: each('text'), always: [changesVersions] }),
    ],
    { options: flags('-v --version', '-h --help') },
  );

export const versionManagers: readonly ToolSpec[] = [
  versionManager(
    'pyenv rbenv nodenv goenv plenv',
    'versions version version-name version-file which whence root prefix shims commands',
    'install uninstall global local shell rehash exec init',
  ),
  versionManager('nvm', 'ls list current which version', 'install uninstall use alias unalias exec run deactivate'),
  versionManager('fnm', 'list ls current', 'install uninstall use alias default env exec'),
  versionManager('asdf', 'list current where', 'install uninstall global local shell reshim plugin exec set'),
  versionManager('volta', 'list which', 'install uninstall pin fetch run setup'),
];
