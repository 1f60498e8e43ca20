import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { callFile } from './call-id.ts';

/** One call as it was kept. */
export interface KeptTexts {
  readonly head: CallHead;
  readonly request: CallRequest;
  /** Undefined where none came. */
  readonly answer?: CallAnswerLine['answer'];
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
  const answer = rest.find((line): line is CallAnswerLine => 'answer' in line);
  const pieces = rest.filter((line): line is CallPiece => 'data' in line || 'content' in line);
  return {
    kind: 'kept',
    texts: { head, request, ...(answer === undefined ? {} : { answer: answer.answer }), pieces, end },
  };
}

/** Lines of the file of a call, in their order. */
export type CallLine = CallHead | CallRequest | CallAnswerLine | CallPiece | CallEnd;

export interface CallHead {
  readonly v: 1;
  readonly id: string;
  /** ISO 8601, when the call began. */
  readonly time: string;
  readonly session: string;
  readonly workspace: string;
  readonly provider: string;
  readonly dialect: string;
  readonly operation: string;
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
}

/** A text, or what is none: only its size is told. */
export type KeptContent =
  | { readonly text: string; readonly cut?: true }
  | { readonly bytes: number; readonly type: string }
  | { readonly none: true };

interface CallRequest {
  readonly request: KeptContent;
  readonly fields: Readonly<Record<string, string>>;
}

export interface CallAnswerLine {
  readonly answer: {
    readonly status: number;
    readonly fields: Readonly<Record<string, string>> /** `json` where it is a document. */;
    readonly form: 'stream' | 'json' | 'other';
  };
}

/** An event of the answer, a document, or a content of another kind. */
type CallPiece = { readonly event?: string; readonly data: string } | { readonly content: KeptContent };

export interface CallEnd {
  /** `partial`: the answer ended before it said that it was complete. */
  readonly end: 'complete' | 'partial';
  /** More came than is kept. */
  readonly cut?: true;
}
