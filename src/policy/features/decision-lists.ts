import * as v from 'valibot';
import { texts } from '../document/rule-schema.ts';

/** Lists that decide names of tools, commands and keys. */
export const decisionLists = {
  allow: v.optional(texts('Allowed')),
  ask: v.optional(texts('Held until a person decides')),
  deny: v.optional(texts('Refused, despite any grant')),
} as const;
