import { flags, maybe, opaque, takes, warns } from '../notation.ts';
import type { OptionSpec } from '../types.ts';

/** Options that several subcommands share, after git-diff(1), git-log(1) and git-rev-list(1). */

/** What they name runs although the command only reads: attributes choose the driver, configuration its program. */
const drivers: readonly OptionSpec[] = [
  ...warns(opaque('repository-code', '`--ext-diff` runs the external diff program that the repository configures'), '--ext-diff'),
  ...warns(opaque('repository-code', '`--textconv` runs the conversion program that the repository configures'), '--textconv'),
];

export const diffOptions: readonly OptionSpec[] = [
  ...flags(
    '-p -u --patch', '-s --no-patch', '--raw', '--patch-with-raw', '--patch-with-stat', '--numstat', '--shortstat', '--summary', '--compact-summary', '-z', '--name-only', '--name-status',
    '--cached --staged', '--merge-base', '--minimal', '--patience', '--histogram', '--no-color', '--no-renames', '--rename-empty', '--no-rename-empty', '--check', '--full-index',
    '--binary', '-R', '-a --text', '--ignore-cr-at-eol', '--ignore-space-at-eol', '-b --ignore-space-change', '-w --ignore-all-space', '--ignore-blank-lines', '-W --function-context',
    '--exit-code', '--quiet', '--no-ext-diff', '--no-textconv', '--no-prefix', '--default-prefix', '--no-color-moved', '--find-copies-harder', '--pickaxe-all', '--pickaxe-regex', '--no-relative',
    '--cumulative', '--base', '--ours', '--theirs', '--no-indent-heuristic', '--indent-heuristic', '--ita-invisible-in-index', '--irreversible-delete',
  ),
  ...takes('text', '-S', '-G', '--diff-filter', '-l', '--inter-hunk-context', '--src-prefix', '--dst-prefix', '--line-prefix', '--anchored', '--diff-algorithm', '--word-diff-regex', '--ws-error-highlight'),
  ...takes('text', '--find-object', '--color-moved-ws', '-I --ignore-matching-lines'),
  ...maybe('text', '-U --unified', '--stat', '--stat-width', '--stat-count', '--dirstat -X', '--color', '--color-words', '--word-diff', '--color-moved', '-M --find-renames', '-C --find-copies', '-B --break-rewrites', '-D', '--abbrev', '--relative', '--ignore-submodules', '--submodule'),
  ...takes('read', '-O'),
  ...takes('write', '--output'),
  ...drivers,
];

export const revisionOptions: readonly OptionSpec[] = [
  ...flags(
    '-#', '--oneline', '--graph', '--no-graph', '--all', '--merges', '--no-merges', '--first-parent', '--reverse', '--follow', '--no-decorate', '--clear-decorations', '--source', '--full-diff',
    '--date-order', '--author-date-order', '--topo-order', '--abbrev-commit', '--no-abbrev-commit', '--no-abbrev', '--left-right', '--cherry-pick', '--cherry-mark', '--cherry', '--boundary', '--simplify-merges',
    '--full-history', '--dense', '--sparse', '--ancestry-path', '-i --regexp-ignore-case', '-E --extended-regexp', '-F --fixed-strings', '-P --perl-regexp', '--all-match', '--invert-grep', '-g --walk-reflogs',
    '--parents', '--children', '--no-notes', '--no-standard-notes', '--relative-date', '--no-walk', '--no-mailmap', '--mailmap --use-mailmap', '--no-show-signature', '-m', '-c', '--cc', '--dd', '--no-diff-merges',
    '-t', '-r', '--root', '--left-only', '--right-only', '--simplify-by-decoration', '--remove-empty', '--no-min-parents', '--no-max-parents', '--ignore-missing', '--bisect', '--reflog', '--encode-email-headers', '--log-size', '--full-tree', '--count', '--objects',
  ),
  ...takes('text', '-n --max-count', '--skip', '--since --after', '--until --before', '--author', '--committer', '--grep', '--grep-reflog', '--min-parents', '--max-parents', '--date', '--format', '--encoding', '--glob', '--exclude', '--decorate-refs', '--decorate-refs-exclude', '-L', '--diff-merges', '--max-age', '--min-age'),
  ...maybe('text', '--pretty', '--decorate', '--branches', '--tags', '--remotes', '--notes', '--expand-tabs'),
  ...warns(opaque('repository-code', '`--show-signature` runs the program that `gpg.program` names'), '--show-signature'),
  ...warns(opaque('repository-code', '`--remerge-diff` runs the merge drivers that the repository configures'), '--remerge-diff'),
  ...warns(opaque('repository-code', '`--alternate-refs` runs the command that `core.alternateRefsCommand` names'), '--alternate-refs'),
];

/** One spec per spelling: where two lists name an option, the first one holds. */
export function merged(...lists: readonly (readonly OptionSpec[])[]): readonly OptionSpec[] {
  const taken = new Set<string>();
  return lists.flat().flatMap((spec) => {
    const names = spec.names.filter((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    return names.length === 0 ? [] : [{ ...spec, names }];
  });
}
