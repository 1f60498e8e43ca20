/** The observed results of SDKs for broken streams, without a judgement. `done`: the SDK reports no error. */
export const onReset: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '@anthropic-ai/sdk': { stream: ['TypeError: terminated'] },
  // The SDK does not wait for bytes after `[DONE]`.
  'openai, Chat': { stream: ['TypeError: terminated', 'done'] },
  'openai, Responses': { stream: ['TypeError: terminated'], socket: ['Error: the socket closed', 'done'] },
  'openai, Chat at Azure': { stream: ['TypeError: terminated', 'done'] },
  'openai, Responses at Azure': { stream: ['TypeError: terminated'] },
  'openai, Chat at Ollama': { stream: ['TypeError: terminated', 'done'] },
  '@google/genai': { stream: ['TypeError: terminated'] },
  '@aws-sdk/client-bedrock-runtime': {
    stream: ['Error: Stream closed with error code NGHTTP2_INTERNAL_ERROR'],
    'invoke-stream': ['Error: Stream closed with error code NGHTTP2_INTERNAL_ERROR'],
  },
  'fetch at Ollama': { stream: ['TypeError: terminated'], 'generate-stream': ['TypeError: terminated'] },
};

/** By status. No SDK reports a body that ends too early in good order. */
export const errorNames: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  '@anthropic-ai/sdk': {
    400: 'BadRequestError',
    403: 'PermissionDeniedError',
    404: 'NotFoundError',
    429: 'RateLimitError',
    500: 'InternalServerError',
    529: 'OverloadedError',
  },
  openai: {
    400: 'BadRequestError',
    403: 'PermissionDeniedError',
    404: 'NotFoundError',
    429: 'RateLimitError',
    500: 'InternalServerError',
    529: 'InternalServerError',
  },
  '@google/genai': {
    400: 'ApiError',
    403: 'ApiError',
    404: 'ApiError',
    429: 'ApiError',
    500: 'ApiError',
    529: 'ApiError',
  },
  '@aws-sdk/client-bedrock-runtime': {
    400: 'ValidationException',
    403: 'AccessDeniedException',
    404: 'ResourceNotFoundException',
    429: 'ThrottlingException',
    500: 'InternalServerException',
    529: 'InternalServerException',
  },
  fetch: { 400: 'Error', 403: 'Error', 404: 'Error', 429: 'Error', 500: 'Error', 529: 'Error' },
};
