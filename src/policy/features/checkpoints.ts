import * as v from 'valibot';
import { count, event, textPart, told, workspace } from './event-parts.ts';
import type { Feature } from './feature.ts';

const checkpoint = { workspace, checkpoint: textPart } as const;

export const checkpoints = {
  name: 'checkpoints',
  events: [
    event('checkpoint.create', 'a checkpoint of a workspace was made', {
      ...checkpoint,
      name: told(textPart, 'the name that the user gave it; may be empty'),
      entries: count,
      bytes: count,
    }),
    event('checkpoint.restore', 'a workspace was restored to a checkpoint', {
      ...checkpoint,
      undo: v.optional(told(textPart, 'the checkpoint that undoes it; absent if nothing had to be changed')),
      written: count,
      removed: count,
      skipped: told(count, 'number of paths that stayed unchanged, because someone changed them meanwhile'),
    }),
    event('checkpoint.remove', 'a checkpoint was removed', checkpoint),
  ],
  commands: [
    {
      name: 'checkpoint',
      module: 'checkpoint.ts',
      export: 'checkpointCommand',
      summary: 'Save the workspace and restore it later',
      section: 'review',
    },
  ],
} as const satisfies Feature;
