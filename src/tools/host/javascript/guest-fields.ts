/** What the prelude sends, as far as anything that comes from a guest can be said to have a shape. */
export interface GuestFields {
  readonly url?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly path?: unknown;
  readonly data?: unknown;
}

/** What it gets. */
export interface AnswerText {
  readonly refused?: string;
  readonly text?: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly finalUrl?: string;
}

/** As in `protocol/messages.ts`, which this program does not load: it would bring the schema library into the box. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
