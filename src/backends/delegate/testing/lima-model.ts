/**
 * The line that `limactl shell` makes of its words for the guest's login shell over ssh, as in cmd/limactl/shell.go.
 */
export function limaLine(words: readonly string[], directory: string): string {
  let isAssignment = true;
  const quoted = words.map((word) => {
    isAssignment &&= word.includes('=');
    const at = word.indexOf('=');
    return isAssignment ? `${word.slice(0, at)}=${quote(word.slice(at + 1))}` : quote(word);
  });
  return `cd ${quote(directory)} || exit 1 ; exec "$SHELL" -c ${quote(quoted.join(' '))}`;
}

function quote(word: string): string {
  if (word === '') return `''`;
  return /[^\w@%+=:,./-]/u.test(word) ? `'${word.replaceAll(`'`, `'"'"'`)}'` : word;
}
