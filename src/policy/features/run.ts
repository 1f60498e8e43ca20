import * as v from 'valibot';
import { quantities } from '../document/quantity-schema.ts';
import { count, event, inSession, millisecondsPart, sha256Part, textPart, textsPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Commands in a box, from start to end. */
export const run = {
  name: 'run',
  limits: { wall: { entry: v.optional(quantities.duration), quantity: 'duration' } },
  events: [
    event('session.start', 'a session began', {
      ...inSession,
      argv: textsPart,
      cwd: textPart,
      backend: textPart,
      uid: count,
      policy: told(sha256Part, "SHA-256 of the effective policy's description"),
      managed: v.optional(told(sha256Part, 'SHA-256 of the managed policy file; absent without one')),
      staged: v.optional(told(textPart, 'the staged layer that receives writes; absent if they go to the host')),
      partial: v.optional(
        told(textsPart, 'guarantees that its backend enforced with gaps, which a person has accepted'),
      ),
      redacted: v.optional(
        told(textsPart, 'files of configuration that the command saw as copies without their secrets'),
      ),
      metadata: v.optional(told(v.record(textPart, textPart), 'labels that the program gave to its sandbox')),
    }),
    event('session.end', 'a session ended', {
      ...inSession,
      exitCode: v.number(),
      signal: count,
      duration: millisecondsPart,
      reason: v.picklist(['exit', 'time-out', 'failure']),
    }),
  ],
  commands: [
    {
      name: 'run',
      module: 'run.ts',
      export: 'runCommand',
      summary: 'Run an agent or a command in a sandbox',
      section: 'run',
    },
    {
      name: 'learn',
      module: 'learn.ts',
      export: 'learnCommand',
      summary: 'Run a command once and propose the smallest policy that it needs',
      section: 'run',
    },
  ],
} as const satisfies Feature;
