import { backendNames } from '../backends/backend.ts';
import { choicesOf, eventTypes } from './choices.ts';

/**
 * Values of a label. `few`: names that a policy, a server or a box chooses. Only a fixed number of them become labels.
 */
type LabelValues = readonly string[] | 'few';

/** A metric, for Prometheus and for docs/metrics.md. */
export interface MetricRow {
  readonly type: 'counter' | 'gauge';
  /** One sentence without its full stop. */
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  readonly of: 'journal' | 'now' | 'server' | 'process';
}

/** Replaces every name beyond the limit, and words of a newer version. */
export const otherName = 'other';

const model = { provider: 'few', model: 'few' } as const;
const decided = ['allowed', 'denied'] as const;

/** All metrics, in the order of the page. Names and units follow the conventions of Prometheus. */
export const metricTable = {
  holdfast_sessions_started_total: {
    of: 'journal',
    type: 'counter',
    help: 'Sessions whose first command started',
    labels: {},
  },
  holdfast_commands_started_total: {
    of: 'journal',
    type: 'counter',
    help: 'Commands that started in a box',
    labels: { backend: [...backendNames, otherName] },
  },
  holdfast_commands_ended_total: {
    of: 'journal',
    type: 'counter',
    help: 'Commands that ended; `error`: Holdfast had to end it',
    labels: { outcome: ['success', 'failure', 'signal', 'timeout', 'error'] },
  },
  holdfast_command_run_seconds_total: {
    of: 'journal',
    type: 'counter',
    help: 'Time that ended commands ran',
    labels: {},
  },
  holdfast_refusals_total: {
    of: 'journal',
    type: 'counter',
    help: 'Refused requests, by kind of request and by the reason of the refusal',
    labels: {
      request: choicesOf('refusal', 'request'),
      reason: choicesOf('refusal', 'verdict', 'code'),
    },
  },
  holdfast_rule_actions_total: {
    of: 'journal',
    type: 'counter',
    help: 'Requests that a rule audited, redirected, kept, approved or neutralised',
    labels: { outcome: choicesOf('enforcement', 'outcome') },
  },
  holdfast_connections_total: {
    of: 'journal',
    type: 'counter',
    help: 'Ended connections out of boxes; `failed`: allowed, and the other side could not be reached',
    labels: { outcome: [...decided, 'failed'] },
  },
  holdfast_connection_bytes_total: {
    of: 'journal',
    type: 'counter',
    help: 'Bytes of ended connections',
    labels: { direction: ['sent', 'received'] },
  },
  holdfast_http_requests_total: {
    of: 'journal',
    type: 'counter',
    help: 'HTTP requests that were decided one by one',
    labels: { outcome: [...decided, 'failed'] },
  },
  holdfast_approvals_requested_total: {
    of: 'journal',
    type: 'counter',
    help: 'Questions to a person, by kind of request',
    labels: { request: choicesOf('approval.requested', 'request') },
  },
  holdfast_approvals_resolved_total: {
    of: 'journal',
    type: 'counter',
    help: 'Resolved questions; `answer`: a person answered',
    labels: {
      decision: choicesOf('approval.resolved', 'decision'),
      because: choicesOf('approval.resolved', 'because'),
    },
  },
  holdfast_approval_wait_seconds_total: {
    of: 'journal',
    type: 'counter',
    help: 'Time that callers waited for resolved questions',
    labels: {},
  },
  holdfast_model_calls_total: {
    of: 'journal',
    type: 'counter',
    help: 'Requests to language models; `partial`: the answer broke off, `refused`: Holdfast refused it',
    labels: { ...model, outcome: ['success', 'partial', 'failure', 'refused'] },
  },
  holdfast_model_tokens_total: {
    of: 'journal',
    type: 'counter',
    help: 'Tokens of language models. A token has one kind',
    labels: { ...model, kind: ['input', 'cache_read', 'cache_write', 'output'] },
  },
  holdfast_model_cost_usd_total: {
    of: 'journal',
    type: 'counter',
    help: 'Cost of calls with a known price, in US dollars',
    labels: model,
  },
  holdfast_model_unpriced_calls_total: {
    of: 'journal',
    type: 'counter',
    help: 'Calls whose cost is unknown',
    labels: model,
  },
  holdfast_model_call_seconds_total: {
    of: 'journal',
    type: 'counter',
    help: 'Time until answers of language models ended',
    labels: model,
  },
  holdfast_alarms_total: {
    of: 'journal',
    type: 'counter',
    help: 'Phantoms, secrets or foreign keys in a place where none belongs',
    labels: { alarm: choicesOf('alarm', 'alarm') },
  },
  holdfast_credential_actions_total: {
    of: 'journal',
    type: 'counter',
    help: 'First time in a session that an action happened to a credential',
    labels: { action: choicesOf('credential', 'action') },
  },
  holdfast_dlp_findings_total: {
    of: 'journal',
    type: 'counter',
    help: 'Finds in requests, by the decision of their `[[dlp]]` rule',
    labels: { decision: choicesOf('dlp', 'decision') },
  },
  holdfast_database_statements_total: {
    of: 'journal',
    type: 'counter',
    help: 'Statements that went through a database broker',
    labels: { protocol: choicesOf('statement', 'protocol'), outcome: decided },
  },
  holdfast_text_warnings_total: {
    of: 'journal',
    type: 'counter',
    help: 'Texts with hidden characters or misleading names, by where they passed',
    labels: { boundary: choicesOf('text', 'boundary') },
  },
  holdfast_withheld_files_total: {
    of: 'journal',
    type: 'counter',
    help: 'Unapproved files of repositories that a box began without',
    labels: {},
  },
  holdfast_quarantined_files_total: {
    of: 'journal',
    type: 'counter',
    help: 'Files with protected names that were moved away',
    labels: {},
  },
  holdfast_staged_actions_total: {
    of: 'journal',
    type: 'counter',
    help: 'Decisions about staged layers',
    labels: { action: ['accept', 'discard', 'undo', 'fork'] },
  },
  holdfast_staged_changes_accepted_total: {
    of: 'journal',
    type: 'counter',
    help: 'Staged changes that were put onto the host',
    labels: {},
  },
  holdfast_journal_entries_total: {
    of: 'journal',
    type: 'counter',
    help: 'New entries of the journal, by type',
    labels: { type: [...eventTypes, otherName] },
  },
  holdfast_journal_unread_entries_total: {
    of: 'journal',
    type: 'counter',
    help: 'Entries that lack fields for counting. Only their type is counted',
    labels: {},
  },
  holdfast_sessions_running: {
    of: 'now',
    type: 'gauge',
    help: 'Sessions with a running command',
    labels: {},
  },
  holdfast_commands_running: { of: 'now', type: 'gauge', help: 'Running commands', labels: {} },
  holdfast_approvals_waiting: { of: 'now', type: 'gauge', help: 'Questions that wait for an answer', labels: {} },
  holdfast_staged_layers: { of: 'now', type: 'gauge', help: 'Staged layers', labels: {} },
  holdfast_supervisors_running: {
    of: 'now',
    type: 'gauge',
    help: 'Processes that supervise running commands, this server among them',
    labels: {},
  },
  holdfast_supervisors_resident_memory_bytes: {
    of: 'now',
    type: 'gauge',
    help: 'Resident memory of these processes together',
    labels: {},
  },
  holdfast_server_sessions: { of: 'server', type: 'gauge', help: 'Open sessions of this server', labels: {} },
  holdfast_server_commands: {
    of: 'server',
    type: 'gauge',
    help: 'Commands of this server that wait or run',
    labels: { state: ['queued', 'running'] },
  },
  holdfast_server_clients: { of: 'server', type: 'gauge', help: 'Connected clients of this server', labels: {} },
  holdfast_server_requests_total: {
    of: 'server',
    type: 'counter',
    help: 'Requests of clients, by kind',
    labels: { request: 'few' },
  },
  holdfast_server_errors_total: {
    of: 'server',
    type: 'counter',
    help: 'Answers that are errors, by code',
    labels: { code: 'few' },
  },
  holdfast_build_info: {
    of: 'process',
    type: 'gauge',
    help: 'Always 1, with the version of Holdfast and of Node',
    labels: { version: 'few', node: 'few' },
  },
  process_cpu_seconds_total: { of: 'process', type: 'counter', help: 'CPU time of this server', labels: {} },
  process_resident_memory_bytes: { of: 'process', type: 'gauge', help: 'Resident memory of this server', labels: {} },
  process_start_time_seconds: {
    of: 'process',
    type: 'gauge',
    help: 'Start of this server, in seconds since 1970',
    labels: {},
  },
  process_open_fds: { of: 'process', type: 'gauge', help: 'Open files and sockets of this server', labels: {} },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof metricTable;
