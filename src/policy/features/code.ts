import { count, event, inSession, sha256Part, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Interpreters that keep state between texts. */
export const code = {
  name: 'code',
  events: [
    event('code.run', 'an interpreter got a text; journalled before it runs', {
      ...inSession,
      command: told(textPart, 'ID of the command that the interpreter is'),
      language: textPart,
      sha256: sha256Part,
      bytes: count,
      start: told(textPart, 'its first 200 characters; hidden characters are written out'),
    }),
  ],
} as const satisfies Feature;
