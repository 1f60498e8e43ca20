import * as v from 'valibot';
import { environmentOf, sessionName, sessionOptions } from '../server/session-options.ts';
import { requestKind } from './request-kind.ts';

/**
 * A session of that name: the one that is there, when it was opened with the same options, or a new one. Without `options`, or with
 * `match: 'name'`, one that is there is good as it is.
 */
export const open = requestKind({
  schema: v.strictObject({ kind: v.literal('open'), name: sessionName, options: v.optional(sessionOptions), environment: v.optional(environmentOf), match: v.optional(v.picklist(['name', 'options'])) }),
  answer: async ({ name, options, environment, match = 'options' }, _call, { sessions }) => {
    const isGood = match === 'name' && sessions.has(name);
    const { sandbox, openedAt } = await sessions.open({ name, environment, options: isGood ? undefined : options });
    return { name, id: sandbox.id, workspace: sandbox.workspace, openedAt };
  },
});
