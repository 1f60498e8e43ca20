import process from 'node:process';

/** `$1` is a directory. All of /etc is a copy, without a managed policy, and ends with the namespace. */
const begin = `
mkdir -p "$1/etc"
cp -a /etc/. "$1/etc" 2> /dev/null
rm -rf "$1/etc/holdfast"
mount --bind "$1/etc" /etc || exit 99
shift
exec "$@"
`;

/**
 * Returns the words that run a command as an administrator whose changes in /etc stay in a directory. The test machine
 * keeps its own managed policy.
 */
export function withOwnEtc(directory: string, command: readonly string[]): readonly string[] {
  const namespaces = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-Urm'];
  return [...namespaces, 'sh', '-c', begin, 'own-etc', directory, ...command];
}
