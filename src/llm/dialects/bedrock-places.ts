import { anthropicDefinitions, anthropicText, anthropicTextOrBase64 } from './anthropic-places.ts';
import { chatDefinitions, chatText } from './openai-chat-places.ts';
import { below } from './request-places.ts';

/** The body of Converse, and the same within CountTokens. */
const bodies = ['', 'input.converse.'];
const results = ['messages.*.content.*.', 'messages.*.content.*.toolResult.content.*.'];

/** By @aws-sdk/client-bedrock-runtime 3.1164.0, `ContentBlock`, `ToolResultContentBlock`, `DocumentBlock`. `bytes` and `reasoningContent` are left out. */
const inBlock = [
  'text', 'json.**', 'toolUse.input.**', 'guardContent.text.text', 'citationsContent.content.*.text', 'searchResult.content.*.text', 'searchResult.title', 'searchResult.source',
  'document.name', 'document.context', 'document.source.text', 'document.source.content.*.text',
];

export const converseText = below(bodies, [
  'system.*.text', 'system.*.guardContent.text.text', 'promptVariables.*.text', 'additionalModelRequestFields.**', ...below(results, inBlock),
]);

export const converseDefinitions = below(bodies, ['toolConfig.tools.*.toolSpec.description', 'toolConfig.tools.*.toolSpec.inputSchema.**']);

/** InvokeModel takes each model's own body: Anthropic's, OpenAI's, Nova's (as Converse), and prompts of the older ones. */
export const invokeText = [
  ...new Set([...anthropicText, ...chatText, ...converseText, 'inputText', 'message', 'chat_history.*.message', 'preamble', 'texts.*', 'inputs', 'textToImageParams.text', 'documents.*.text', 'documents.*.snippet']),
];
export const invokeTextOrBase64 = anthropicTextOrBase64;
export const invokeDefinitions = [...new Set([...anthropicDefinitions, ...chatDefinitions, ...converseDefinitions])];
