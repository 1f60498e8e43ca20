import * as v from 'valibot';
import { dlpFindings } from '../llm/dlp-findings.ts';
import { dlpEntry } from '../llm/schema.ts';
import { count, event, host, inSession, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Rules about data that may not leave unchanged in requests. */
export const dlp = {
  name: 'dlp',
  policy: { dlp: dlpEntry },
  findings: dlpFindings,
  events: [
    event('dlp', 'a request held content that a rule keeps from leaving unchanged; never the content itself', {
      ...inSession,
      ...host,
      path: textPart,
      rule: told(textPart, 'name of the rule in the policy'),
      decision: v.picklist(['audit', 'redact', 'tokenize', 'block']),
      found: told(v.record(textPart, count), 'number of findings of each kind'),
    }),
  ],
} as const satisfies Feature;
