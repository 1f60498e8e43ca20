import * as v from 'valibot';
import { count, event, millisecondsPart, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

const key = v.pipe(textPart, v.regex(/^[0-9a-f]{16}$/), v.description('identifies the key without revealing it'));

/** The journal, and its own events. */
export const audit = {
  name: 'audit',
  events: [
    event('journal.keyed', 'from here on, a key chains the entries; anyone could have written the entries before', {
      key,
    }),
    event('journal.rotated', 'the file before this one was full; always the first entry of a file', {
      part: told(count, 'number of the file that begins here'),
    }),
    event('journal.repaired', 'a partial line at the end, from an event that was never acknowledged, was removed', {
      bytes: told(count, 'length of the removed part'),
    }),
    event(
      'journal.lost',
      'the machine stopped before the last entries reached the disk; entries kept before their effect are never lost this way',
      { entries: told(count, 'how many') },
    ),
    event('journal.clock', 'the clock of the machine was set since the previous entry', {
      jump: told(millisecondsPart, 'milliseconds; negative for backwards'),
    }),
    event('journal.begun', 'the previous journal could not be used, and was moved aside', {
      aside: told(textPart, 'the directory beside this file that keeps it'),
      reason: told(textPart, 'why it could not be used'),
    }),
  ],
  commands: [
    {
      name: 'status',
      module: 'status/index.ts',
      export: 'statusCommand',
      summary: 'Show the policy, refusals, staged changes and approvals of this directory',
      section: 'record',
    },
    {
      name: 'audit',
      module: 'audit/index.ts',
      export: 'auditCommand',
      summary: 'Verify, search, report and export the journal',
      section: 'record',
    },
  ],
} as const satisfies Feature;
