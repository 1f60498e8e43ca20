import * as v from 'valibot';
import type { BoundaryName, FindingKind } from '../../text/index.ts';
import { count, event, inSession, textPart as string, textsPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Spelled out, so that the compiler reports a missing kind. */
const findingKinds = [
  'invisible',
  'bidi',
  'tag',
  'variation-selector',
  'filler',
  'annotation',
  'separator',
  'control',
  'noncharacter',
  'surrogate',
  'escape-sequence',
  'outbound',
  'mixed-script',
  'confusable',
] as const satisfies readonly FindingKind[];

export const textBoundaries = [
  'file-name',
  'branch-name',
  'file-content',
  'search-result',
  'command-output',
  'terminal-output',
  'page',
  'tool-description',
  'tool-result',
  'commit-text',
  'report',
  'approval-prompt',
  'command',
  'policy-file',
  'memory',
] as const satisfies readonly BoundaryName[];

const counts = Object.fromEntries(findingKinds.map((kind) => [kind, count])) as Readonly<
  Record<(typeof findingKinds)[number], typeof count>
>;

/** Invisible characters, and texts that address a model. */
export const text = {
  name: 'text',
  events: [
    event(
      'text',
      'a text had hidden characters, or names that address a model; Holdfast refused nothing because of it',
      {
        ...inSession,
        boundary: v.picklist(textBoundaries),
        where: told(
          string,
          'the path, the URL without its query, or the command, at most 300 characters of it; hidden characters are escaped',
        ),
        findings: told(v.partial(v.object(counts)), 'number of each kind'),
        decoded: v.optional(told(textsPart, 'the hidden text, escaped: at most five, at most 200 characters of each')),
        likeness: v.optional(
          told(
            v.object({ name: string, score: v.number(), signals: textsPart }),
            'the name that looks most like an instruction, if one does; decides nothing',
          ),
        ),
      },
    ),
  ],
  commands: [
    {
      name: 'text',
      module: 'text/index.ts',
      export: 'textCommand',
      summary: 'Find invisible and misleading characters',
      section: 'review',
    },
  ],
} as const satisfies Feature;
