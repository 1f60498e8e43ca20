import type { Answer, Call, ServerDialect } from '../../lib/model-server/index.ts';

/** The model's request, in the agent's own words. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export const lastWords = 'That was all of it.';

/**
 * A model that asks for one tool after another, regardless of the results, and then ends. A request without tools, for
 * a conversation title, gets a short answer.
 */
export function dialogOf(dialect: AgentDialect, calls: readonly ToolCall[]): (call: Call) => Answer {
  return ({ body = {} }) => {
    const next = resultsIn(dialect, body).length;
    const call = calls[next];
    if (!Array.isArray(body['tools']) || body['tools'].length === 0)
      return { kind: 'model', parts: [{ kind: 'text', pieces: ['A title'] }] };
    if (call === undefined) return { kind: 'model', parts: [{ kind: 'text', pieces: [lastWords] }] };
    return { kind: 'model', parts: [{ kind: 'tool-call', id: `call_${next}`, ...call, cut: 1000 }] };
  };
}

export type AgentDialect = Extract<ServerDialect, 'anthropic' | 'openai' | 'gemini'>;

/** The results that the model received for its calls, in order, as text or JSON. */
export function resultsIn(dialect: AgentDialect, body: Readonly<Record<string, unknown>>): readonly string[] {
  return listsOf[dialect](body as Body).map((result) => (typeof result === 'string' ? result : JSON.stringify(result)));
}

/** The members of a request that hold the conversation so far. */
interface Body {
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly input?: readonly { readonly type: string; readonly output?: unknown }[];
  readonly contents?: readonly { readonly parts: readonly { readonly functionResponse?: unknown }[] }[];
}

const listsOf: Readonly<Record<AgentDialect, (body: Body) => readonly unknown[]>> = {
  anthropic: ({ messages = [] }) =>
    messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter((block: { readonly type?: string }) => block.type === 'tool_result'),
  // Responses, or Chat.
  openai: ({ input = [], messages = [] }) => [
    ...input.filter(({ type }) => type.endsWith('_call_output')).map(({ output }) => output),
    ...messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
  ],
  gemini: ({ contents = [] }) =>
    contents
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse])),
};
