import type { BuiltinName } from '../../src/policy/builtin/builtin-name.ts';
import { credentialStores, ownPlaces } from '../../src/policy/builtin/credential-stores.ts';
import { hiddenFileNames, hiddenPlaces } from '../../src/policy/builtin/hidden.ts';
import { protectedNames } from '../../src/policy/builtin/protected.ts';
import { policyFileNames } from '../../src/policy/builtin/policy-file-names.ts';
import { shadowedPrograms } from '../../src/policy/builtin/shadowed-programs.ts';
import { code, groupedBy, markdownTable } from './markdown.ts';

/** `docs/protected-paths.md`: all paths that are protected or hidden by default. */
export function protectedPathsPage(): string {
  return [
    intro,
    '## Protected: readable, never writable',
    `These names are protected in every writable root, at every depth. Holdfast refuses at once when a command creates one\n([\`new_protected\`](policy-tables.md#files)). When the box ends, Holdfast moves every such file that appeared anyway to quarantine. Git may create\nits own files in a new repository, and a clone into an empty directory below the root may bring such files along. Holdfast judges both at the end.\n\nIn a [staged](staged.md) run, a command may create such names in the layer, and Holdfast refuses to accept them. Names match in upper and\nlower case, \`*\` and \`?\` are wildcards, and a directory includes its contents.${star}`,
    namesTable(protectedNames.filter(({ depth }) => depth === 'beneath')),
    pinned,
    `\`npx\` and package scripts put \`node_modules/.bin\` first in \`PATH\`. Nobody may plant these programs of the system there:\n${code(shadowedPrograms.map(({ components }) => components.at(-1) ?? ''))}.`,
    '## Hidden: neither readable nor writable',
    `These names are hidden in every writable root and in every directory that you grant for reading, at every depth. Holdfast does not search\nthe toolchains and system directories of the defaults.${star}`,
    namesTable(hiddenFileNames),
    `These names look similar, and are not hidden: ${code(exceptions())}.`,
    'These places of the home directory are hidden too:',
    placesTable(hiddenPlaces),
    '## Never in the box',
    'Nothing releases these places: no flag, no policy, no grant of a directory around them.',
    '### Credential stores',
    placesTable(credentialStores),
    "### Holdfast's own files",
    `No box sees ${code(ownPlaces.map(({ pattern }) => pattern))}, or the places that \`XDG_CONFIG_HOME\` and \`XDG_STATE_HOME\` set instead.`,
    `Policy files are readable and never writable, so that an agent can see its rules. These are ${code(policyFileNames.map(({ components }) => components.join('/')))} at every depth, and every current policy file anywhere.`,
  ].join('\n\n');
}

const intro = `# Protected and hidden paths

Look up the paths that a box may not change, or not see, without any configuration. In a user or managed policy, \`files.release\` releases
such a path. \`files.protect\` and \`files.deny\` add more: see [Policy tables](policy-tables.md#files).

This page is generated from \`src/policy/builtin\` by \`scripts/docs-tables.ts\`.`;

const star =
  '\nRows with a † do not apply below `node_modules`: packages contain such files, no program obeys them there, and an install has to write them. Nor do they apply to references of git: a branch may have any name.';

const pinned = `Nobody can move or remove a \`.git\` directory or file, or write to a \`.git\` file: anyone who replaces it chooses the configuration. Git's
other files below it stay writable.`;

function namesTable(names: readonly BuiltinName[]): string {
  const groups = groupedBy(names, ({ kind, reason, scope }) => `${kind}|${reason}|${scope}`);
  const rows = groups.map(([, items]) => [
    `${items[0]?.kind ?? ''}${items[0]?.scope === 'outside-packages' ? ' †' : ''}`,
    code(items.map(({ components }) => components.join('/'))),
    items[0]?.reason ?? '',
  ]);
  return markdownTable(['kind', 'names', 'because'], rows);
}

function placesTable(places: readonly { readonly pattern: string; readonly reason: string }[]): string {
  const rows = groupedBy(places, ({ reason }) => reason).map(([reason, items]) => [
    reason,
    code(items.map(({ pattern }) => pattern)),
  ]);
  return markdownTable(['kind', 'places'], rows);
}

function exceptions(): readonly string[] {
  return [...new Set(hiddenFileNames.flatMap(({ except }) => except))];
}
