import { JournalMetrics, metricsText, nowSamples, processSamples } from '../../metrics/index.ts';
import type { ServerFacts } from '../requests/request-kind.ts';
import { listenForScrapes, type MetricsAddress, type MetricsListener } from './listen.ts';
import { serverSamples } from './server-samples.ts';

export interface MetricsOptions extends MetricsAddress {
  readonly token: string;
  readonly journal: string;
  /** Directory of the state. */
  readonly state: string;
  /** Of Holdfast. */
  readonly version: string;
}

/** Serves the metrics of a server and of this user's journal. Throws like `listenForScrapes` and `JournalMetrics`. */
export function openMetrics(
  { journal, state, version, ...listening }: MetricsOptions,
  facts: () => ServerFacts,
): Promise<MetricsListener> {
  const metrics = new JournalMetrics(journal);
  return listenForScrapes({
    ...listening,
    collect: async () => {
      await metrics.refresh();
      return metricsText([
        ...metrics.counters(),
        ...nowSamples(metrics, state),
        ...serverSamples(facts()),
        ...processSamples(version),
      ]);
    },
  });
}
