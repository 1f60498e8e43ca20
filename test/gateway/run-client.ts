import { join } from 'node:path';
import { type Outcome, run } from '../../src/egress/tls/testing/programs.ts';
import type { ServerDialect } from '../lib/model-server/index.ts';

/** A program of `clients/` and its server. */
export interface ClientProgram {
  readonly name: string;
  readonly program: string;
  readonly dialect: ServerDialect;
  /** Modes that answer with one document, and with a stream. */
  readonly whole: readonly string[];
  readonly stream: readonly string[];
  /** Conversations of two turns. */
  readonly tools: readonly string[];
  /** Variables that a user of the SDK would set: the usual ones, with a server's URL, which has no path. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
}

/** The keys of SDKs that require one: `EXAMPLE` is nobody's. */
const awsKeys = {
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  AWS_REGION: 'eu-central-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};
const azureOf = (url: string) => ({
  AZURE_OPENAI_ENDPOINT: url,
  AZURE_OPENAI_API_KEY: 'EXAMPLE',
  OPENAI_API_VERSION: '2025-04-01-preview',
});
const openaiOf = (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-EXAMPLE' });
const usual = { whole: ['whole'], stream: ['stream'], tools: ['tools'] };

export const clientPrograms: readonly ClientProgram[] = [
  {
    ...usual,
    name: '@anthropic-ai/sdk',
    program: 'anthropic',
    dialect: 'anthropic',
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-ant-EXAMPLE' }),
  },
  { ...usual, name: 'openai, Chat', program: 'openai-chat', dialect: 'openai', environment: openaiOf },
  {
    whole: ['whole'],
    stream: ['stream', 'socket'],
    tools: ['tools', 'socket-tools'],
    name: 'openai, Responses',
    program: 'openai-responses',
    dialect: 'openai',
    environment: openaiOf,
  },
  { ...usual, name: 'openai, Chat at Azure', program: 'openai-chat', dialect: 'azure', environment: azureOf },
  { ...usual, name: 'openai, Responses at Azure', program: 'openai-responses', dialect: 'azure', environment: azureOf },
  { ...usual, name: 'openai, Chat at Ollama', program: 'openai-chat', dialect: 'ollama', environment: openaiOf },
  {
    ...usual,
    name: '@google/genai',
    program: 'gemini',
    dialect: 'gemini',
    environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'AIzaEXAMPLE' }),
  },
  {
    whole: ['whole', 'invoke'],
    stream: ['stream', 'invoke-stream'],
    tools: ['tools'],
    name: '@aws-sdk/client-bedrock-runtime',
    program: 'bedrock',
    dialect: 'bedrock',
    environment: (url) => ({ AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url, ...awsKeys }),
  },
  {
    whole: ['whole', 'generate'],
    stream: ['stream', 'generate-stream'],
    tools: ['tools'],
    name: 'fetch at Ollama',
    program: 'ollama',
    dialect: 'ollama',
    environment: (url) => ({ OLLAMA_HOST: url }),
  },
];

/**
 * Providers with another's dialect, below other paths. `style` is their name in a policy. Vertex AI in express mode,
 * which needs no account.
 */
export const otherProviders: readonly (ClientProgram & { readonly style: string })[] = [
  {
    ...usual,
    name: 'openai at OpenRouter',
    program: 'openai-chat',
    dialect: 'openai',
    style: 'openrouter',
    environment: (url) => ({ OPENAI_BASE_URL: `${url}/api/v1`, OPENAI_API_KEY: 'sk-or-EXAMPLE' }),
  },
  {
    ...usual,
    name: '@google/genai at Vertex AI',
    program: 'gemini',
    dialect: 'gemini',
    style: 'vertex',
    environment: (url) => ({
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_VERTEX_BASE_URL: url,
      GEMINI_API_KEY: 'AIzaEXAMPLE',
    }),
  },
];

/** A line that a client prints. */
export interface Seen {
  readonly mode: string;
  readonly text: string;
  readonly thinking: string;
  /** For streams, `input` is the received JSON, where the SDK returns it in pieces. */
  readonly toolCalls: readonly { readonly name: string; readonly input: unknown }[];
  /** As the SDK returns it. */
  readonly usage: unknown;
  readonly error?: { readonly name: string; readonly status: number | null; readonly message: string };
}

export interface ClientRun {
  readonly url: string;
  readonly modes: readonly string[];
  /** Further variables, such as `CLIENT_PROMPT` or a trusted certificate. */
  readonly more?: Readonly<Record<string, string>>;
  /** Runs the program, for example in a box. Default: as a child of this process. */
  readonly runWith?: (command: readonly string[], environment: Readonly<Record<string, string>>) => Promise<Outcome>;
}

/** Runs modes of a client in turn in one process. Throws the program's errors if it did not print a line for each. */
export async function runClient(
  { program, environment }: ClientProgram,
  { url, modes, more, runWith = runHere }: ClientRun,
): Promise<readonly Seen[]> {
  const command = [process.execPath, '--no-warnings', join(import.meta.dirname, 'clients', `${program}.mjs`), ...modes];
  const { stdout, stderr, status } = await runWith(command, { ...environment(url), ...more });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== modes.length)
    throw new Error(`${program} ${modes.join(' ')}: ${lines.length} lines, status ${String(status)}\n${stderr}`);
  return lines.map((line) => JSON.parse(line) as Seen);
}

function runHere(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<Outcome> {
  return run(command, { environment });
}
