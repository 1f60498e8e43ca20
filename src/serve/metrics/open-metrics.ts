import { nowSamples, processSamples } from '../../metrics/audit.ts';
import { JournalMetrics } from '../../metrics/journal-metrics.ts';
import { metricsText, counted, type MetricSample } from '../../metrics/sample.ts';
import type { ServerFacts } from '../requests/request-kind.ts';
import { listenForScrapes, type MetricsAddress, type MetricsListener } from './listen.ts';

export interface MetricsOptions extends MetricsAddress {
  readonly token: string;
  readonly journal: string;
  /** State directory. */
  readonly state: string;
  /** Version of Holdfast. */
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

/** Returns the metrics of a server. */
function serverSamples({ clients, sessions, commands, tally }: ServerFacts): readonly MetricSample[] {
  const states = commands.list().map(({ state }) => state);
  return [
    counted('holdfast_server_sessions', {}, sessions.size),
    ...(['queued', 'running'] as const).map((state) =>
      counted('holdfast_server_commands', { state }, states.filter((one) => one === state).length),
    ),
    counted('holdfast_server_clients', {}, clients),
    ...Array.from(tally.requests, ([request, count]) => counted('holdfast_server_requests_total', { request }, count)),
    ...Array.from(tally.errors, ([code, count]) => counted('holdfast_server_errors_total', { code }, count)),
  ];
}
