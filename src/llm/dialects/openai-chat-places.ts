/**
 * Chat Completions (openai 7.57.0, `ChatCompletionMessageParam`) and what its servers take beside it: `prompt` and `suffix` of completions,
 * `input` of embeddings, moderations and speech. Arguments of tool calls are JSON within a string; some servers take objects. Reasoning
 * that clients send back is plain text here, and signed by nobody.
 */
export const chatText = [
  'messages.*.content', 'messages.*.content.*.text', 'messages.*.content.*.refusal', 'messages.*.content.*.thinking.*.text', 'messages.*.content.*.content', 'messages.*.content.*.content.*.text',
  'messages.*.refusal', 'messages.*.reasoning_content', 'messages.*.reasoning',
  'messages.*.tool_calls.*.function.arguments', 'messages.*.tool_calls.*.function.arguments.**', 'messages.*.tool_calls.*.custom.input', 'messages.*.function_call.arguments',
  'prediction.content', 'prediction.content.*.text', 'prompt', 'prompt.*', 'suffix', 'input', 'input.*', 'input.*.text', 'instructions',
] as const;

export const chatDefinitions = [
  'tools.*.function.description', 'tools.*.function.parameters.**', 'tools.*.custom.description', 'tools.*.custom.format.**', 'functions.*.description', 'functions.*.parameters.**',
  'response_format.json_schema.description', 'response_format.json_schema.schema.**',
] as const;
