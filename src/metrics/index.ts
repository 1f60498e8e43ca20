/**
 * The metrics room provides figures for a monitoring system, in the text format of Prometheus.
 *
 * `table.ts` lists the metrics, and `counted.ts` lists the samples that each event of the journal adds. Both are data.
 * Paths, hosts, sessions and texts may not become labels. A label is a word from a fixed list, or one of a limited
 * number of names, so a box cannot create arbitrary labels.
 */
export { JournalMetrics } from './journal-metrics.ts';
export { nowSamples, processSamples } from './audit.ts';
export { counted, type MetricSample, metricsText, metricsType } from './sample.ts';
