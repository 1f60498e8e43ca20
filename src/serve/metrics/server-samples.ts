import { counted, type MetricSample } from '../../metrics/index.ts';
import type { ServerFacts } from '../server/request-tally.ts';

/** Returns the metrics of a server. */
export function serverSamples({
  clients,
  sessions,
  queued,
  running,
  requests,
  errors,
}: ServerFacts): readonly MetricSample[] {
  return [
    counted('holdfast_server_sessions', {}, sessions),
    counted('holdfast_server_commands', { state: 'queued' }, queued),
    counted('holdfast_server_commands', { state: 'running' }, running),
    counted('holdfast_server_clients', {}, clients),
    ...Array.from(requests, ([request, count]) => counted('holdfast_server_requests_total', { request }, count)),
    ...Array.from(errors, ([code, count]) => counted('holdfast_server_errors_total', { code }, count)),
  ];
}
