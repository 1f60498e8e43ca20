/**
 * The metrics room: figures for a monitoring system, in the text format of Prometheus.
 *
 * `table.ts` lists the metrics, and `counted.ts` the additions of each event of the journal. Both are data. Paths,
 * hosts, sessions and texts may not become labels. A label is a word of a list, or one of few names. A box cannot make
 * up others.
 */
export { JournalMetrics } from './journal-metrics.ts';
export { nowSamples, processSamples } from './process-samples.ts';
export { counted, type MetricSample, metricsText, metricsType } from './sample.ts';
