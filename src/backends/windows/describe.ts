import type { Plan } from '../../plan/index.ts';
import { windowsPlan, type WindowsPlan } from './windows-plan.ts';

/** What a session would choose, and a drive for the paths of this machine. */
const places = { identity: 'appcontainer', tag: 'box', drives: [{ posix: '/', windows: 'C:\\' }], privateDirectory: 'C:\\ProgramData\\holdfast\\box', proxyPort: 1, processors: 1 } as const;

/** The steps of a plan on Windows, with their label. JSON. */
export function describeWindows(plan: Plan): WindowsPlan & { readonly notes: readonly string[] } {
  return {
    notes: [
      'generated, not run: no machine of this project has tried this plan',
      'the words of the command and its environment are those of this machine',
      `the paths of this machine stand below C:\\; the session's own would stand for the tag ${places.tag}, the directory ${places.privateDirectory}, the proxy's port ${places.proxyPort} and ${places.processors} processor`,
      'protected and hidden names are looked for when the box starts; each that is there gets an entry that refuses',
    ],
    ...windowsPlan(plan, places),
  };
}
