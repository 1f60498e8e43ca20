import { counted, type MetricSample } from '../../metrics/index.ts';
import type { ServerFacts } from '../requests/request-kind.ts';

/** Returns the metrics of a server. */
export function serverSamples({ clients, sessions, commands, tally }: ServerFacts): readonly MetricSample[] {
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
