import * as v from 'valibot';
import { loadedFromOutside } from '../document/entry-findings.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import type { LayerKind } from '../verdict.ts';
import { environmentEntry } from './environment.ts';
import type { Feature } from './feature.ts';
import { filesEntry } from './files.ts';
import { networkEntry } from './network.ts';
import { socketsEntry } from './sockets.ts';

/** Grants that a project may propose to its user. None is in force until the user has accepted it. */
const proposal = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[a-zA-Z][\w.-]{0,63}$/,
      'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
    ),
  ),
  reason: v.pipe(v.string(), v.minLength(1), v.description('Why the project needs them; the user decides by this')),
  files: v.optional(
    v.strictObject({
      read: filesEntry.entries.read,
      write: filesEntry.entries.write,
      ephemeral: filesEntry.entries.ephemeral,
    }),
  ),
  network: v.optional(
    v.strictObject({
      hosts: networkEntry.entries.hosts,
      presets: networkEntry.entries.presets,
      forward: networkEntry.entries.forward,
    }),
  ),
  sockets: v.optional(v.strictObject({ allow: socketsEntry.entries.allow })),
  environment: v.optional(v.strictObject({ pass: environmentEntry.entries.pass, set: environmentEntry.entries.set })),
});

const policy = {
  propose: v.optional(
    v.pipe(v.array(proposal), v.description('Grants that a project proposes; only in project files')),
  ),
} as const;

export const proposals = {
  name: 'proposals',
  policy,
  patterns: {
    'propose.files.read': 'path',
    'propose.files.write': 'path',
    'propose.files.ephemeral': 'path',
    'propose.network.hosts': 'host',
    'propose.network.forward': 'forward',
    'propose.sockets.allow': 'socket',
    'propose.environment.pass': 'variable',
  },
  placed,
  findings,
} as const satisfies Feature;

function placed({ propose }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] {
  return propose === undefined || layer === 'project'
    ? []
    : [
        {
          at: 'propose',
          message: `a ${layer} policy cannot propose: no layer above it could accept`,
          remedy: 'write the grants themselves, without [[propose]]',
        },
      ];
}

function findings({ propose = [] }: PolicyPart<typeof policy>): readonly DocumentFinding[] {
  return propose.flatMap(({ environment }, index) =>
    loadedFromOutside(`propose[${index}].environment.pass`, environment?.pass),
  );
}
