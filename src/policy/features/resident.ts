import * as v from 'valibot';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import type { LayerKind } from '../verdict.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

const policy = {
  resident: v.optional(
    v.pipe(
      v.picklist(['auto', 'never']),
      v.description(
        'Whether a supervisor stays in the background for the next commands, which start faster then. "auto" (default): the first run starts it, and it ends after 15 minutes without a run. "never" of any policy counts; only in user and managed policies',
      ),
    ),
  ),
} as const;

/** The supervisor that stays for later commands. */
export const resident = {
  name: 'resident',
  policy,
  settings: { resident: 'resident' },
  placed: (value: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] =>
    usersOnly(value.resident, layer, {
      at: 'resident',
      cannot: "keep a supervisor in the background of a person's machine",
    }),
} as const satisfies Feature;
