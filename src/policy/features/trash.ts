import * as v from 'valibot';
import type { DocumentFinding } from '../document/problem.ts';
import { quantities } from '../document/quantity-schema.ts';
import type { LayerKind } from '../verdict.ts';
import { count, event, textPart, textsPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

const size = v.pipe(
  quantities.size,
  v.description(
    'The size of the trash for all workspaces, such as "2GB", or "none"; only in user and managed policies',
  ),
);
const age = v.pipe(
  quantities.duration,
  v.description('How long an entry stays in the trash, such as "30d", or "none"; only in user and managed policies'),
);

export const trash = {
  name: 'trash',
  limits: {
    trash: { entry: v.optional(size), quantity: 'bytes', of: 'the size of the trash' },
    trash_age: { entry: v.optional(age), quantity: 'duration' },
  },
  placed,
  events: [
    event('trash.restore', 'a kept file was restored, to its place or elsewhere', {
      workspace: told(textPart, 'real path of the workspace it comes from'),
      entry: textPart,
      path: told(textPart, 'its current path; bytes that are not UTF-8 are written as `%FF`'),
    }),
    event('trash.purge', 'kept files were removed for good, by hand', { entries: textsPart, bytes: count }),
  ],
  commands: [
    {
      name: 'trash',
      module: 'trash.ts',
      export: 'trashCommand',
      summary: 'List and restore deleted and overwritten files',
      section: 'review',
    },
  ],
} as const satisfies Feature;

type Part = {
  readonly limits?: { readonly trash?: string | undefined; readonly trash_age?: string | undefined } | undefined;
};

/** All projects of a user share one trash. A project with a low quota would remove other projects' files from it. */
function placed({ limits = {} }: Part, layer: LayerKind): readonly DocumentFinding[] {
  const cannot = "say how much of the user's trash is kept";
  return [
    ...usersOnly(limits.trash, layer, { at: 'limits.trash', cannot }),
    ...usersOnly(limits.trash_age, layer, { at: 'limits.trash_age', cannot }),
  ];
}
