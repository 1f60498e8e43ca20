import { usageOf } from './answers.ts';
import type { Call, Dialect, ModelAnswer, ModelEvent, Part } from './types.ts';

/**
 * Sources: ai.google.dev/api/generate-content; the typings of @google/genai 3.1.0. Tool calls are whole in one event.
 */
export const gemini: Dialect = {
  endpoint(call) {
    const [, operation, query = ''] = /:(generateContent|streamGenerateContent)(?:\?(.*))?$/u.exec(call.path) ?? [];
    if (operation === undefined) return undefined;
    const framing = new URLSearchParams(query).get('alt') === 'sse' ? 'sse' : 'array';
    return {
      framing,
      answersWith: operation === 'generateContent' ? 'document' : 'stream',
      document,
      events,
      failure: (message) => ({ data: JSON.stringify(errorOf(503, message)) }),
      unknownEvent: { data: '{"futureMember":[1,"two"]}' },
    };
  },
  refusal: (status, message) => ({ headers: {}, body: errorOf(status, message) }),
};

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function errorOf(code: number, message: string): unknown {
  return { error: { code, message, status: statuses[code] ?? 'UNKNOWN' } };
}

function document(answer: ModelAnswer, call: Call): unknown {
  return content(answer, call, { parts: answer.parts.map((part) => contentPart(part, wholeText(part))), end: 'ended' });
}

function events(answer: ModelAnswer, call: Call): readonly ModelEvent[] {
  const pieces = answer.parts.flatMap((part) =>
    part.kind === 'tool-call' ? [contentPart(part, '')] : part.pieces.map((text) => contentPart(part, text)),
  );
  return pieces.map((piece, index) => ({
    data: JSON.stringify(
      content(answer, call, { parts: [piece], end: index === pieces.length - 1 ? 'ended' : 'open' }),
    ),
  }));
}

function content(
  answer: ModelAnswer,
  call: Call,
  { parts, end }: { readonly parts: readonly unknown[]; readonly end: 'ended' | 'open' },
): unknown {
  const finish = end === 'ended' ? { finishReason: 'STOP' } : {};
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
    usageMetadata: usage(answer, end),
    modelVersion: answer.model ?? /models\/([^:/]+):/u.exec(call.path)?.[1] ?? 'example',
    responseId: 'example',
  };
}

/** An event before the end contains all of the input count, and not yet all of the output count. */
function usage(answer: ModelAnswer, end: 'ended' | 'open'): unknown {
  const { uncachedInput, cacheRead, output, reasoning } = usageOf(answer);
  const prompt = uncachedInput + cacheRead;
  const candidates = end === 'ended' ? output - reasoning : 1;
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: candidates,
    thoughtsTokenCount: reasoning,
    totalTokenCount: prompt + candidates + reasoning,
  };
}

function wholeText(part: Part): string {
  return part.kind === 'tool-call' ? '' : part.pieces.join('');
}

function contentPart(part: Part, text: string): unknown {
  switch (part.kind) {
    case 'text':
      return { text };
    case 'thinking':
      return { text, thought: true };
    case 'tool-call':
      return { functionCall: { id: part.id, name: part.name, args: part.input }, thoughtSignature: 'ZXhhbXBsZQ==' };
  }
}
