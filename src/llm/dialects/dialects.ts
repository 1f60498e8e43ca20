import type { Dialect, DialectName } from '../types.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { bedrockConverse } from './bedrock-converse.ts';
import { bedrockInvoke } from './bedrock-invoke.ts';
import { geminiModels } from './gemini.ts';
import { ollamaChat, ollamaGenerate } from './ollama.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

/** All dialects, by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini: geminiModels,
  'bedrock-converse': bedrockConverse,
  'bedrock-invoke': bedrockInvoke,
  'ollama-chat': ollamaChat,
  'ollama-generate': ollamaGenerate,
};
