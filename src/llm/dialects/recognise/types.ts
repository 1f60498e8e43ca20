export type { ModelServer } from '../../../policy/llm/model-server.ts';
export type { ServerStyle } from '../../../policy/llm/types.ts';
