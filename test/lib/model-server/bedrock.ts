import type { ConverseResponse, TokenUsage } from '@aws-sdk/client-bedrock-runtime';
import { messageEvents, messageOf } from './anthropic.ts';
import { argumentPieces, callsTools, inputOf, usageOf } from './answers.ts';
import type { Call, Dialect, Endpoint, ModelAnswer, ModelEvent, Part } from './types.ts';

/**
 * Sources: docs.aws.amazon.com/bedrock/latest/APIReference (Converse, ConverseStream, InvokeModel);
 * @aws-sdk/client-bedrock-runtime 3.1164.0.
 */
export const bedrock: Dialect = {
  endpoint(call) {
    switch (/^\/model\/[^/]+\/([\w-]+)$/u.exec(call.path.split('?')[0] ?? '')?.[1]) {
      case 'converse':
        return { ...converse, answersWith: 'document' };
      case 'converse-stream':
        return converse;
      case 'invoke':
        return { ...invoke, answersWith: 'document' };
      case 'invoke-with-response-stream':
        return invoke;
      default:
        return undefined;
    }
  },
  refusal: (status, message) => ({
    headers: { 'x-amzn-errortype': errorTypes[status] ?? 'InternalServerException' },
    body: { message },
  }),
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

const failure = (message: string): ModelEvent => ({
  name: 'modelStreamErrorException',
  data: JSON.stringify({ message }),
  isException: true,
});

const unknownEvent: ModelEvent = { name: 'futureEvent', data: '{"payload":[1,"two"]}' };

const converse: Endpoint = {
  framing: 'event-stream',
  answersWith: 'stream',
  document: converseDocument,
  events: converseEvents,
  failure,
  unknownEvent,
};

const invoke: Endpoint = {
  framing: 'event-stream',
  answersWith: 'stream',
  document: messageOf,
  events: invokeEvents,
  failure,
  unknownEvent,
};

function converseDocument(answer: ModelAnswer): unknown {
  const document = {
    output: { message: { role: 'assistant', content: answer.parts.map(wholeBlock) } },
    stopReason: stopReason(answer),
    usage: usage(answer),
    metrics: { latencyMs: 12 },
  };
  return document satisfies Omit<ConverseResponse, 'output' | 'trace'> & { readonly output: unknown };
}

function converseEvents(answer: ModelAnswer): readonly ModelEvent[] {
  return [
    event('messageStart', { role: 'assistant' }),
    ...answer.parts.flatMap(blockEvents),
    event('messageStop', { stopReason: stopReason(answer) }),
    event('metadata', { usage: usage(answer), metrics: { latencyMs: 12 } }),
  ];
}

/** Events of Anthropic's in base64, and padding so that lengths tell less; the last one carries Bedrock's own count. */
function invokeEvents(answer: ModelAnswer, call: Call): readonly ModelEvent[] {
  return messageEvents(answer, call).map(({ name, data }, index) => {
    const inner =
      name === 'message_stop'
        ? `${data.slice(0, -1)},"amazon-bedrock-invocationMetrics":${JSON.stringify(metrics(answer))}}`
        : data;
    return event('chunk', {
      bytes: Buffer.from(inner).toString('base64'),
      p: 'abcdefghijklmnop'.slice(0, (index % 16) + 1),
    });
  });
}

function metrics(answer: ModelAnswer): unknown {
  const told = usageOf(answer);
  return {
    inputTokenCount: told.uncachedInput,
    outputTokenCount: told.output,
    invocationLatency: 12,
    firstByteLatency: 3,
    cacheReadInputTokenCount: told.cacheRead,
    cacheWriteInputTokenCount: told.cacheWrite5m + told.cacheWrite1h,
  };
}

function event(name: string, value: object): ModelEvent {
  return { name, data: JSON.stringify(value) };
}

function stopReason(answer: ModelAnswer): 'tool_use' | 'end_turn' {
  return callsTools(answer) ? 'tool_use' : 'end_turn';
}

function usage(answer: ModelAnswer): TokenUsage {
  const told = usageOf(answer);
  const details = [
    { ttl: '5m' as const, inputTokens: told.cacheWrite5m },
    { ttl: '1h' as const, inputTokens: told.cacheWrite1h },
  ];
  return {
    inputTokens: told.uncachedInput,
    outputTokens: told.output,
    totalTokens: inputOf(told) + told.output,
    cacheReadInputTokens: told.cacheRead,
    cacheWriteInputTokens: told.cacheWrite5m + told.cacheWrite1h,
    cacheDetails: details,
  };
}

function wholeBlock(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return { text: part.pieces.join('') };
    case 'thinking':
      return { reasoningContent: { reasoningText: { text: part.pieces.join(''), signature: part.signature } } };
    case 'tool-call':
      return { toolUse: { toolUseId: part.id, name: part.name, input: part.input } };
  }
}

function blockEvents(part: Part, contentBlockIndex: number): readonly ModelEvent[] {
  const start =
    part.kind === 'tool-call'
      ? [event('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: part.id, name: part.name } } })]
      : [];
  return [
    ...start,
    ...deltas(part).map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })),
    event('contentBlockStop', { contentBlockIndex }),
  ];
}

function deltas(part: Part): readonly unknown[] {
  switch (part.kind) {
    case 'text':
      return part.pieces.map((text) => ({ text }));
    case 'thinking':
      return [
        ...part.pieces.map((text) => ({ reasoningContent: { text } })),
        { reasoningContent: { signature: part.signature } },
      ];
    case 'tool-call':
      return argumentPieces(part).map((input) => ({ toolUse: { input } }));
  }
}
