import * as v from 'valibot';
import { texts } from '../document/rule-schema.ts';

/** What names of tools, commands and keys are decided by. */
export const decisionLists = {
  allow: v.optional(texts('Allowed')),
  ask: v.optional(texts('Held until a person decides')),
  deny: v.optional(texts('Refused, whatever allows it')),
} as const;
