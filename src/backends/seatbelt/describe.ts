import type { Plan } from '../../plan/index.ts';
import { seatbeltCommand } from './command.ts';
import { seatbeltProfile } from './profile.ts';

/** What a session would choose. */
const places = { tag: 'holdfast', privateDirectory: '/private/var/run/holdfast/BOX', proxyPort: 1, profile: '/private/var/run/holdfast/BOX.sb' } as const;

/** The profile of a plan for a person, with its label and the words that would start its command. Itself a profile. */
export function describeProfile(plan: Plan): string {
  const notes = [
    'generated, not run: no machine of this project has tried this profile',
    `the session's own would stand for the tag ${places.tag}, the directory ${places.privateDirectory} and the proxy's port ${places.proxyPort}`,
    `started as ${JSON.stringify(seatbeltCommand(plan, places))}`,
  ];
  return `${notes.map((note) => `; ${note}\n`).join('')}${seatbeltProfile(plan, places)}`;
}
