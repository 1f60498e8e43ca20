import type { JournalEvent, ModelEvent } from '../audit/index.ts';
import { backendNames } from '../backends/backend.ts';
import type { EgressRefusalCode } from '../egress/types.ts';
import { isGood, type ModelNames } from './model-names.ts';
import { counted, type MetricSample } from './sample.ts';
import { otherName } from './table.ts';

/** The context that counting needs besides the event. */
export interface CountingContext {
  readonly models: ModelNames;
  readonly isNew: (session: string) => boolean;
}

type EventOf<Type extends JournalEvent['type']> = Extract<JournalEvent, { readonly type: Type }>;
type Counting = {
  readonly [Type in JournalEvent['type']]?: (event: EventOf<Type>, context: CountingContext) => readonly MetricSample[];
};

/** Additions of each type of event to the metrics. All other types count only as entries of the journal. */
const counting: Counting = {
  'session.start': ({ session, backend }, { isNew }) => [
    ...(isNew(session) ? [counted('holdfast_sessions_started_total', {})] : []),
    counted('holdfast_commands_started_total', { backend: backends.includes(backend) ? backend : otherName }),
  ],
  'session.end': (event) => [
    counted('holdfast_commands_ended_total', { outcome: outcomeOfCommand(event) }),
    counted('holdfast_command_run_seconds_total', {}, event.duration / 1000),
  ],
  refusal: ({ request, verdict }) => [
    counted('holdfast_refusals_total', { request: request.kind, reason: verdict.code }),
  ],
  enforcement: ({ outcome }) => [counted('holdfast_rule_actions_total', { outcome })],
  connection: ({ refusal, sent, received }) => [
    counted('holdfast_connections_total', { outcome: outcomeOfNetwork(refusal) }),
    counted('holdfast_connection_bytes_total', { direction: 'sent' }, sent),
    counted('holdfast_connection_bytes_total', { direction: 'received' }, received),
  ],
  request: ({ refusal }) => [counted('holdfast_http_requests_total', { outcome: outcomeOfNetwork(refusal) })],
  'approval.requested': ({ request }) => [counted('holdfast_approvals_requested_total', { request: request.kind })],
  'approval.resolved': ({ decision, because = 'answer', waited }) => [
    counted('holdfast_approvals_resolved_total', { decision, because }),
    counted('holdfast_approval_wait_seconds_total', {}, waited / 1000),
  ],
  model: (event, { models }) => ofModel(event, models.labelsOf(event)),
  alarm: ({ alarm }) => [counted('holdfast_alarms_total', { alarm })],
  credential: ({ action }) => [counted('holdfast_credential_actions_total', { action })],
  dlp: ({ decision, found }) => [counted('holdfast_dlp_findings_total', { decision }, sumOf(Object.values(found)))],
  statement: ({ protocol, decision, count = 1 }) => [
    counted(
      'holdfast_database_statements_total',
      { protocol, outcome: decision === 'allow' ? 'allowed' : 'denied' },
      count,
    ),
  ],
  text: ({ boundary }) => [counted('holdfast_text_warnings_total', { boundary })],
  'trust.withheld': ({ files }) => [counted('holdfast_withheld_files_total', {}, files.length)],
  quarantine: () => [counted('holdfast_quarantined_files_total', {})],
  'staged.accept': ({ changes }) => [
    counted('holdfast_staged_actions_total', { action: 'accept' }),
    counted('holdfast_staged_changes_accepted_total', {}, changes),
  ],
  'staged.discard': () => [counted('holdfast_staged_actions_total', { action: 'discard' })],
  'staged.undo': () => [counted('holdfast_staged_actions_total', { action: 'undo' })],
  'staged.fork': () => [counted('holdfast_staged_actions_total', { action: 'fork' })],
};

/** Returns the samples that an event adds. The event must match its schema. */
export function countedOf(event: JournalEvent, context: CountingContext): readonly MetricSample[] {
  const count = counting[event.type] as
    | ((event: JournalEvent, context: CountingContext) => readonly MetricSample[])
    | undefined;
  return count?.(event, context) ?? [];
}

const backends: readonly string[] = backendNames;

function outcomeOfCommand({ reason, signal, exitCode }: EventOf<'session.end'>): string {
  if (reason !== 'exit') return reason === 'time-out' ? 'timeout' : 'error';
  if (signal > 0) return 'signal';
  return exitCode === 0 ? 'success' : 'failure';
}

/** The network or the other side failed. Holdfast refused nothing. */
const failures: readonly string[] = [
  'name-not-found',
  'resolver-failed',
  'unreachable',
  'upstream-timeout',
  'upstream-protocol',
] satisfies readonly EgressRefusalCode[];

function outcomeOfNetwork(refusal: { readonly code: string } | undefined): string {
  if (refusal === undefined) return 'allowed';
  return failures.includes(refusal.code) ? 'failed' : 'denied';
}

function ofModel(
  { status, completeness, refusal, tokens, usd, duration }: ModelEvent,
  names: ReturnType<ModelNames['labelsOf']>,
): readonly MetricSample[] {
  const outcome = refusal !== undefined ? 'refused' : !isGood(status) ? 'failure' : completeness;
  const calls = counted('holdfast_model_calls_total', {
    ...names,
    outcome: outcome === 'complete' ? 'success' : outcome,
  });
  if (refusal !== undefined) return [calls];
  return [
    calls,
    ...(tokens === undefined ? [] : ofTokens(tokens, names)),
    usd === null
      ? counted('holdfast_model_unpriced_calls_total', names)
      : counted('holdfast_model_cost_usd_total', names, usd),
    counted('holdfast_model_call_seconds_total', names, duration / 1000),
  ];
}

function ofTokens(
  tokens: NonNullable<ModelEvent['tokens']>,
  names: ReturnType<ModelNames['labelsOf']>,
): readonly MetricSample[] {
  const kinds = {
    input: tokens.uncachedInput,
    cache_read: tokens.cacheRead,
    cache_write: tokens.cacheWrite5m + tokens.cacheWrite1h,
    output: tokens.output,
  };
  return Object.entries(kinds).map(([kind, count]) =>
    counted('holdfast_model_tokens_total', { ...names, kind }, count),
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
