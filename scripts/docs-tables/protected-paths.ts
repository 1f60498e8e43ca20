import type { BuiltinName } from '../../src/policy/builtin/builtin-name.ts';
import { credentialStores, ownPlaces } from '../../src/policy/builtin/credential-stores.ts';
import { hiddenFileNames, hiddenPlaces } from '../../src/policy/builtin/hidden.ts';
import { policyFileNames, protectedNames, shadowedPrograms } from '../../src/policy/builtin/protected.ts';
import { code, groupedBy, markdownTable } from './markdown.ts';

/** `docs/protected-paths.md`: everything that is protected or hidden without any configuration. */
export function protectedPathsPage(): string {
  return [
    intro,
    '## Protected: readable, never writable',
    `In every writable root, at every depth. A command that makes such a name is refused at once ([\`new_protected\`](policy.md)),\nand what appears under one all the same is moved to quarantine when the box has ended. What git itself makes in a new repository, and what one\nbrings along that is cloned into an empty directory below the root, may appear: it is judged at the end.\nIn a [staged](staged.md) run such names may be made, in the layer: accepting them is what is refused.\nNames are compared without regard to case, \`*\` and \`?\` are wildcards, and what lies beneath counts too.${star}`,
    namesTable(protectedNames.filter(({ depth }) => depth === 'beneath')),
    pinned,
    `The programs of the system that nobody may plant in \`node_modules/.bin\`, which \`npx\` and package scripts put first in \`PATH\`:\n${code(shadowedPrograms.map(({ components }) => components.at(-1) ?? ''))}.`,
    '## Hidden: neither readable nor writable',
    `In every writable root, at every depth. A directory that is granted for reading only is shown as it is: grant no more than is needed.${star}`,
    namesTable(hiddenFileNames),
    `Not hidden although they look alike: ${code(exceptions())}.`,
    'And these places of the home directory:',
    placesTable(hiddenPlaces),
    '## Never in the box',
    'Nothing releases these: no flag, no policy, no grant of a directory around them.',
    '### Credential stores',
    placesTable(credentialStores),
    "### Holdfast's own files",
    `Not visible at all: ${code(ownPlaces.map(({ pattern }) => pattern))}, and what \`XDG_CONFIG_HOME\` and \`XDG_STATE_HOME\` put in their place.`,
    `Readable and never writable, so that an agent can see what holds: ${code(policyFileNames.map(({ components }) => components.join('/')))} at every depth, and every policy file in force, wherever it lies.`,
  ].join('\n\n');
}

const intro = `# Protected and hidden paths

What a box may not change or not see, with no configuration. [Policy](policy.md) says how \`files.release\` takes a protected or hidden
path out again, in a user or managed policy, and how \`files.protect\` and \`files.deny\` add more.

This page is generated from \`src/policy/builtin\` by \`scripts/docs-tables.ts\`.`;

const star =
  ' Rows with a † do not hold below `node_modules`:\npackages bring such files along, nothing obeys them there, and an install has to be able to write them.';

const pinned = `A \`.git\` directory or file itself can be neither moved nor removed nor, where it is a file, written: anyone who replaces it chooses the
configuration. What git writes beneath it stays writable.`;

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
  return markdownTable(['what', 'where'], rows);
}

function exceptions(): readonly string[] {
  return [...new Set(hiddenFileNames.flatMap(({ except }) => except))];
}
