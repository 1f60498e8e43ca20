import * as v from 'valibot';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import type { SessionTrust } from '../../place/session-trust.ts';
import type { Delivered } from './deliver.ts';

/** The file's name below the directory of `holdfast proxy --trust`. */
export const handOverName = 'phantoms.json';

/** Bytes. Each credential file has at most 1 MiB on its machine. */
const longest = 8 << 20;

const handOver = v.strictObject({
  environment: v.record(v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/u)), v.string()),
  files: v.array(
    v.strictObject({
      target: v.pipe(v.string(), v.regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/u)),
      content: v.string(),
    }),
  ),
});

/** The phantoms of one session as a text, for boxes of another one. They are worth something to the first session alone. */
export function handOverText({ environment, files }: Delivered): string {
  return JSON.stringify({ environment, files: files.map(({ target, content }) => ({ target, content })) });
}

/**
 * Reads what another session has handed over. Throws `HF_USAGE` for a file that no `holdfast proxy --trust` has written,
 * and if the policy has credentials of its own. Two sets of phantoms for the same paths would be a guess.
 */
export function readHandOver(file: string, own: 'none' | 'some'): SessionTrust {
  if (own === 'some')
    throw new HoldfastError('HF_USAGE', 'the policy has credentials of its own, and --phantoms brings others', {
      remedy: 'leave --phantoms out, or use a policy without [[credentials]]',
    });
  try {
    const { environment, files } = v.parse(handOver, JSON.parse(boundedText(file)));
    return { environment, files: files.map((each) => ({ kind: 'file', mode: 0o600, ...each })) };
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', `${file} has no phantoms: ${whyNot(cause)}`, {
      remedy: `name the file ${handOverName} in the directory of \`holdfast proxy --trust\``,
      cause,
    });
  }
}

function whyNot(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  return cause instanceof v.ValiError || cause instanceof SyntaxError ? 'it has another format' : message;
}

/** Attack: a FIFO, or a device without an end. */
function boundedText(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > longest) throw new Error(`it is no file of at most ${longest} bytes`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
