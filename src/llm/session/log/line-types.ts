/** Lines of the file of a call, in their order. */
export type CallLine = CallHead | CallRequest | CallAnswer | CallPiece | CallEnd;

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

export interface CallRequest {
  readonly request: KeptContent;
  readonly fields: Readonly<Record<string, string>>;
}

export interface CallAnswer {
  readonly answer: {
    readonly status: number;
    readonly fields: Readonly<Record<string, string>> /** `json` where it is a document. */;
    readonly form: 'stream' | 'json' | 'other';
  };
}

/** An event of the answer, a document, or a content of another kind. */
export type CallPiece = { readonly event?: string; readonly data: string } | { readonly content: KeptContent };

export interface CallEnd {
  /** `partial`: the answer ended before it said that it was complete. */
  readonly end: 'complete' | 'partial';
  /** More came than is kept. */
  readonly cut?: true;
}
