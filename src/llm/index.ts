/**
 * The room for language models: how their servers are spoken to, what an answer cost, and how text in a stream is changed while it
 * streams. Dialects and prices are data.
 *
 * Pure: connections, credentials, files and clocks may not enter. What is looked for in texts is the business of `dlp`.
 */
export type * from './types.ts';
