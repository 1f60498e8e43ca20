import * as v from 'valibot';
import { backendNames } from '../../backends/backend.ts';

const path = v.pipe(v.string(), v.startsWith('/', 'no absolute path'));
const list = v.optional(v.array(v.string()));

/** What makes a session another one: its box. Paths are absolute, for the server starts elsewhere. */
export const sessionOptions = v.strictObject({
  /** Where commands start, unless they say. */
  cwd: path,
  workspace: v.optional(path),
  backend: v.optional(v.picklist([...backendNames, 'auto'])),
  grants: v.optional(
    v.strictObject({
      read: list,
      write: list,
      hosts: list,
      presets: list,
      forward: list,
      environment: list,
      sockets: list,
    }),
  ),
  staged: v.optional(v.union([v.literal('new'), v.strictObject({ into: v.string() })])),
});
export type ServedOptions = v.InferOutput<typeof sessionOptions>;

/** A name that no ID of a command can be. */
export const sessionName = v.pipe(
  v.string(),
  v.regex(
    /^(?!c\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u,
    'a name of letters, digits, dots and hyphens, and not that of a command',
  ),
);

/** What the policy's allow-list is applied to: the variables of whoever opened the session first. */
export const environmentOf = v.record(v.string(), v.string());
