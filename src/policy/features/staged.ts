import * as v from 'valibot';
import { quantities } from '../document/quantity-schema.ts';
import { count, event, textPart, textsPart, told, workspace } from './event-parts.ts';
import type { Feature } from './feature.ts';

const layer = { workspace, layer: textPart } as const;

/** Writes that go to a layer until someone accepts them. */
export const staged = {
  name: 'staged',
  limits: { staged: { entry: v.optional(quantities.size), quantity: 'bytes', of: 'the size of a staged layer' } },
  events: [
    event('staged.accept', 'staged changes were put onto the host', {
      ...layer,
      changes: told(count, 'number of differences'),
      left: told(count, 'number of differences that are still staged'),
    }),
    event('staged.discard', 'staged changes were dropped', {
      ...layer,
      changes: v.optional(told(count, 'absent for a whole layer, whose changes are not counted')),
      removed: told(v.boolean(), 'the layer was removed'),
    }),
    event('staged.undo', 'an accept was undone', {
      ...layer,
      entries: told(count, 'restored names on the host'),
    }),
    event('staged.fork', 'copies of a layer were made, each for its own sandbox', {
      ...layer,
      forks: told(textsPart, 'IDs of the copies'),
    }),
  ],
  commands: [
    {
      name: 'review',
      module: 'review.ts',
      export: 'reviewCommand',
      summary: 'Show the changes in a staged layer',
      section: 'review',
    },
    {
      name: 'accept',
      module: 'accept.ts',
      export: 'acceptCommand',
      summary: 'Apply staged changes to your files',
      section: 'review',
    },
    {
      name: 'discard',
      module: 'discard.ts',
      export: 'discardCommand',
      summary: 'Drop staged changes',
      section: 'review',
    },
    {
      name: 'undo',
      module: 'undo.ts',
      export: 'undoCommand',
      summary: 'Revert the last accept',
      section: 'review',
    },
    {
      name: 'staged',
      module: 'staged.ts',
      export: 'stagedCommand',
      summary: 'List staged layers',
      section: 'review',
    },
  ],
} as const satisfies Feature;
