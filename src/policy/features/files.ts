import * as v from 'valibot';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { texts } from '../document/rule-schema.ts';
import type { LayerKind } from '../verdict.ts';
import { count, event, inSession, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

export const filesEntry = v.strictObject({
  read: v.optional(texts('May be read')),
  write: v.optional(texts('May be read and written')),
  deny: v.optional(texts('May be neither read nor written, despite any grant')),
  protect: v.optional(texts('May be read, never written')),
  ephemeral: v.optional(texts('May be written; Holdfast discards the writes at the end')),
  release: v.optional(texts('Releases built-in protected and hidden files; only in user and managed policies')),
  new_protected: v.optional(
    v.pipe(
      v.picklist(['refuse', 'quarantine']),
      v.description(
        'The treatment of a protected name that a command creates. "refuse" (default): the command fails. "quarantine": it succeeds, and Holdfast moves the file away when the box ends; only if no other policy says "refuse"',
      ),
    ),
  ),
});

const policy = { files: v.optional(filesEntry) } as const;

export const files = {
  name: 'files',
  policy,
  settings: { newProtected: 'files.new_protected' },
  patterns: {
    'files.read': 'path',
    'files.write': 'path',
    'files.deny': 'path',
    'files.protect': 'path',
    'files.ephemeral': 'path',
    'files.release': 'path',
  },
  placed: ({ files }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] =>
    usersOnly(files?.release, layer, { at: 'files.release', cannot: 'release protected or hidden files' }),
  events: [
    event('quarantine', 'a protected name that a command made was moved away', {
      ...inSession,
      path: textPart,
      movedTo: textPart,
      reason: textPart,
    }),
    event('covered', 'a program outside put a protected or hidden file there while a command ran, and it was covered', {
      ...inSession,
      path: textPart,
      effect: v.picklist(['pinned', 'read-only', 'hidden']),
      change: v.picklist(['replaced', 'appeared']),
      times: count,
    }),
    event('trace', 'a command left something that acts later, outside of its box', {
      ...inSession,
      path: textPart,
      what: v.picklist([
        'rebase',
        'exec',
        'ignored',
        'replaced',
        'unseen',
        'link',
        'fifo',
        'history',
        'resolved',
        'more',
      ]),
      detail: told(textPart, 'the commands, patterns, files or target'),
    }),
  ],
  proofs: [
    { guarantee: 'fs.read', title: 'read a file outside the workspace', attempt: 'grep -q canary "$OUTSIDE/secret"' },
    {
      guarantee: 'fs.read',
      title: 'read a file of the host above the root',
      attempt: 'grep -q canary "/..$OUTSIDE/secret"',
    },
    { guarantee: 'fs.write', title: 'write outside the workspace', attempt: 'echo pwned > "$OUTSIDE/written"' },
    {
      guarantee: 'fs.write',
      title: 'write outside through a symlink',
      attempt: 'ln -sfn "$OUTSIDE" link && echo pwned > link/through-link',
    },
    { guarantee: 'fs.deny-in-allow', title: 'read .env in the workspace', attempt: 'grep -q canary .env' },
    { guarantee: 'fs.deny-in-allow', title: 'plant a git hook', attempt: 'echo "exit 0" > .git/hooks/pre-commit' },
    {
      guarantee: 'fs.deny-in-allow',
      title: 'move .git away to make room for another',
      attempt: 'mv .git moved && mv moved .git',
    },
    { guarantee: 'fs.stage', title: 'change the workspace from a staged box', attempt: 'echo written > staged' },
  ],
} as const satisfies Feature;
