import { createHash } from 'node:crypto';
import { appendEvents } from '../../audit/index.ts';
import { escapeHidden } from '../../text/index.ts';
import type { Session } from '../session.ts';

export interface NotedCode {
  /** ID of the command that the interpreter is. */
  readonly command: string;
  readonly language: string;
  readonly source: string;
}

/** Characters of the text itself. */
const longestStart = 200;

/** Before the text runs: what cannot be kept does not. Throws what `appendEvents` throws. */
export function noteCode({ id, place }: Pick<Session, 'id' | 'place'>, { command, language, source }: NotedCode): void {
  const sha256 = createHash('sha256').update(source).digest('hex');
  appendEvents(place.paths.journal, [{ type: 'code.run', session: id, workspace: place.workspace.root, command, language, sha256, bytes: Buffer.byteLength(source), start: escapeHidden(source.slice(0, longestStart), 'lines') }]);
}
