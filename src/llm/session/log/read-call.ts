import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { callFile } from './file-name.ts';
import type { CallAnswer, CallEnd, CallHead, CallLine, CallPiece, CallRequest } from './line-types.ts';

/** One call as it was kept. */
export interface KeptTexts {
  readonly head: CallHead;
  readonly request: CallRequest;
  /** Undefined where none came. */
  readonly answer?: CallAnswer['answer'];
  readonly pieces: readonly CallPiece[];
  readonly end: CallEnd;
}

export type KeptRead =
  | { readonly kind: 'kept'; readonly texts: KeptTexts }
  | { readonly kind: 'gone' }
  | { readonly kind: 'damaged' };

/** Twice what is kept, as JSON may spell it. */
const largest = 64 * 1024 * 1024;

/** `gone`: it was never kept, or its time is over. Never throws. */
export function readKeptCall(directory: string, id: string): KeptRead {
  try {
    const text = gunzipSync(readFileSync(callFile(directory, id)), { maxOutputLength: largest }).toString();
    return parsed(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as CallLine),
    );
  } catch (error) {
    return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'damaged' };
  }
}

function parsed(lines: readonly CallLine[]): KeptRead {
  const [head, request, ...rest] = lines;
  const end = rest.at(-1);
  if (
    head === undefined ||
    !('v' in head) ||
    request === undefined ||
    !('request' in request) ||
    end === undefined ||
    !('end' in end)
  )
    return { kind: 'damaged' };
  const answer = rest.find((line): line is CallAnswer => 'answer' in line);
  const pieces = rest.filter((line): line is CallPiece => 'data' in line || 'content' in line);
  return {
    kind: 'kept',
    texts: { head, request, ...(answer === undefined ? {} : { answer: answer.answer }), pieces, end },
  };
}
