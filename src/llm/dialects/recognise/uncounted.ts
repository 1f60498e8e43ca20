import type { Route } from './routes.ts';

/**
 * What begins work whose cost no answer tells: batches, jobs that train, answers that are made later, calls with files in a form, agents that
 * the provider runs, and calls of kinds that no dialect here reads. In lower case; `*` is any one segment. Lists and files of such work cost
 * nothing. Sources: openai 7.57.0, @anthropic-ai/sdk 1.12.0, @google/genai 3.1.0, @aws-sdk/client-bedrock-runtime 3.1164.0.
 */
const endings: readonly string[] = [
  'batches', 'batch/jobs', 'fine_tuning/jobs', 'fine-tunes', 'fine-tuning/jobs', 'threads/runs', 'threads/*/runs', 'evals/*/runs', 'images/edits', 'images/variations',
  'audio/transcriptions', 'audio/translations', 'videos', 'videos/*/remix', 'ocr', 'rerank', 'tunedmodels', 'tuningjobs', 'batchpredictionjobs', 'async-invoke', 'model-invocation-job',
  'invoke-with-bidirectional-stream', 'interactions', 'decisions', 'graders/run', 'videos/edits', 'videos/extensions', 'threads/*/runs/*/submit_tool_outputs',
  'realtime/calls', 'realtime/sessions', 'realtime/client_secrets', 'realtime/transcription_sessions', 'realtime/translations/client_secrets', 'live/sessions', 'live/sessions/*/fork', 'chatkit/sessions',
  'v1/sessions', 'sessions/*/events', 'v1/dreams', 'v1/deployments', 'deployments/*/run', 'agents/sessions', 'agents/automations', 'agents/automations/*/invocations',
];

/**
 * Attack: servers of nothing but models have calls of their own beside those that are like OpenAI's, such as Cohere's `/v2/chat` and Mistral's
 * `/v1/conversations`, and get more of them. What is not known there may be one.
 */
const ownCalls: ReadonlySet<string> = new Set(['mistral', 'cohere', 'huggingface_together', 'together', 'fireworks', 'perplexity', 'groq', 'x-ai', 'deepseek', 'cerebras', 'moonshotai']);
const free: readonly string[] = ['files', 'files/*', 'uploads', 'uploads/*/parts', 'uploads/*/complete', 'uploads/*/cancel', 'batches/*/cancel', 'batch/jobs/*/cancel', 'jobs/*/cancel', 'tokenize', 'detokenize', 'tokenize-text', 'check-api-key'];

const methods = /:(?:batchgeneratecontent|asyncbatchembedcontent|predictlongrunning|generateanswer|generatetext|generatemessage|serverstreamingpredict|directpredict|directrawpredict)$/u;

export interface UncountedRequest {
  readonly provider: string;
  readonly method: string;
  /** What it is a call of, if it is one. */
  readonly route?: Route | undefined;
}

/** Whether a request changes something at such a place. */
export function isUncounted(segments: readonly string[], { provider, method, route }: UncountedRequest): boolean {
  if (/^(?:get|head|options|delete)$/iu.test(method.trim())) return false;
  const lower = segments.map((segment) => segment.toLowerCase());
  if (methods.test(lower.at(-1) ?? '') || endsAs(untold, lower)) return true;
  return ownCalls.has(provider) && (route === undefined || lower.includes('conversations')) && !endsAs(costless, lower);
}

type Endings = readonly (readonly string[])[];

const untold: Endings = endings.map((ending) => ending.split('/'));
const costless: Endings = free.map((ending) => ending.split('/'));

function endsAs(known: Endings, lower: readonly string[]): boolean {
  return known.some((ending) => ending.length <= lower.length && ending.every((segment, index) => segment === '*' || segment === lower[lower.length - ending.length + index]));
}
