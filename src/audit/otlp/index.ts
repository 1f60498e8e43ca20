/**
 * The journal for a collector of OpenTelemetry: entries as log records, sessions as spans, by OTLP over HTTP in JSON.
 *
 * Written by hand: the official exporters bring an SDK of several megabytes for two messages. Runs on the host, for the user and
 * to a URL of the user's; nothing of a box may come here but what events say. Headers are secrets and appear in no message.
 */
export { exportOtlp } from './export-otlp.ts';
export { otlpTarget } from './target.ts';
