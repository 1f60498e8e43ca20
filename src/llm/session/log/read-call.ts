import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { callFile } from './call-id.ts';

/** A kept call. */
export interface KeptTexts {
  readonly head: CallHead;
  readonly request: CallRequest;
  /** Undefined without an answer. */
  readonly answer?: CallAnswerLine['answer'];
  readonly pieces: readonly CallPiece[];
  readonly end: CallEnd;
}

export type KeptRead =
  | { readonly kind: 'kept'; readonly texts: KeptTexts }
  | { readonly kind: 'gone' }
  | { readonly kind: 'damaged' };

/** Twice the limit, because JSON may need more characters than the text. */
const largest = 64 * 1024 * 1024;

/** `gone`: the call was never kept, or has expired. Never throws. */
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

/** Lines of the file of a call, in order. */
export type CallLine = CallHead | CallRequest | CallAnswerLine | CallPiece | CallEnd;

export interface CallHead {
  readonly v: 1;
  readonly id: string;
  /** Beginning of the call, in ISO 8601. */
  readonly time: string;
  readonly session: string;
  readonly workspace: string;
  readonly provider: string;
  readonly dialect: string;
  readonly operation: string;
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** A text, or the size of anything else. */
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
    readonly fields: Readonly<Record<string, string>> /** `json` for a document. */;
    readonly form: 'stream' | 'json' | 'other';
  };
}

/** An event of the answer, a document, or content of another kind. */
type CallPiece = { readonly event?: string; readonly data: string } | { readonly content: KeptContent };

export interface CallEnd {
  /** `partial`: the answer ended before its completion mark. */
  readonly end: 'complete' | 'partial';
  /** More content arrived, which was not kept. */
  readonly cut?: true;
}
