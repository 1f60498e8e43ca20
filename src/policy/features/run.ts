import * as v from 'valibot';
import { quantities } from '../document/quantity-schema.ts';
import { count, event, inSession, milliseconds, sha256, text, texts, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Commands in a box, from start to end. */
export const run = {
  name: 'run',
  limits: { wall: { entry: v.optional(quantities.duration), quantity: 'duration' } },
  events: [
    event('session.start', 'a session began', {
      ...inSession,
      argv: texts,
      cwd: text,
      backend: text,
      uid: count,
      policy: told(sha256, "SHA-256 of the effective policy's description"),
      staged: v.optional(told(text, 'the staged layer that writes go to; absent where they go to the host')),
      partial: v.optional(told(texts, 'guarantees that its backend held with gaps, which a person has accepted')),
      metadata: v.optional(told(v.record(text, text), 'labels that the program gave to its sandbox')),
    }),
    event('session.end', 'a session ended', {
      ...inSession,
      exitCode: v.number(),
      signal: count,
      duration: milliseconds,
      reason: v.picklist(['exit', 'time-out', 'failure']),
    }),
  ],
  commands: [
    { name: 'run', module: 'run.ts', export: 'runCommand', summary: 'run a command inside the box', section: 'boxes' },
    {
      name: 'learn',
      module: 'learn.ts',
      export: 'learnCommand',
      summary: 'run a command once, and propose the smallest policy that it needs',
      section: 'boxes',
    },
  ],
} as const satisfies Feature;
