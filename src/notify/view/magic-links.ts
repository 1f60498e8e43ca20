import { closeSync } from 'node:fs';
import { openAt, oPath } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { asJudged } from '../perform/side.ts';
import { toBytes } from './byte-text.ts';
import { linkText } from './caller.ts';

/** The kernel's limit, `MAXSYMLINKS`. */
const mostLinks = 40;

/**
 * Resolves a path through a `/proc` link of a process: its root, working directory, program or a descriptor. Undefined
 * if the link's target has no name: it is deleted, or was made in memory.
 */
export function throughProcess(root: number, path: string): string | undefined {
  let at = path;
  for (let links = 0; links < mostLinks; links += 1) {
    const found = /^\/+proc\/+(\d+)((?:\/+task\/+\d+)?)\/+(root|cwd|exe|fd\/+\d+)(?=\/|$)/u.exec(at);
    if (found === null) return at;
    const [whole, process = '', thread = '', link = ''] = found;
    const text = link === 'root' ? '/' : textIn(root, `proc/${process}${thread}`, link);
    if (text === undefined || !text.startsWith('/') || text.endsWith(' (deleted)') || text.startsWith('/memfd:'))
      return undefined;
    at = `${text}${at.slice(whole.length)}`;
  }
  return undefined;
}

/** The text of a link, read from the box's own procfs. */
function textIn(root: number, directory: string, link: string): string | undefined {
  const name = link.startsWith('fd') ? link.replace(/^fd\/+/u, '') : link;
  try {
    const descriptor = openAt(root, toBytes(link.startsWith('fd') ? `${directory}/fd` : directory), {
      flags: oPath | openFlags.directory,
      resolve: asJudged,
    });
    try {
      return linkText(`/proc/self/fd/${descriptor}/${name}`);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
