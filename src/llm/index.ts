/**
 * The room for language models has the protocols of their servers, the cost of answers, and editors of text in a
 * stream. Dialects and prices are data.
 *
 * Pure: it knows no connections, credentials, files or clocks. `dlp` decides what to search for in texts.
 */
export type * from './types.ts';
export {
  type Cost,
  createPricer,
  type CustomPrice,
  type CustomPrices,
  type PricedCall,
  type PriceOf,
  priceTable,
} from './cost/custom-price.ts';
export { matchesGlob } from './cost/custom-price.ts';
export type {
  Budget,
  BudgetAnswer,
  BudgetCall,
  BudgetOptions,
  BudgetRefusal,
  Budgets,
  BudgetState,
  BudgetWarning,
  SpentCall,
} from './budget/types.ts';
export { budgetStates, createBudgets } from './budget/budget-states.ts';
export { createRateLimits, type RateAnswer, type RateLimit, type RateLimits } from './budget/rate-limits.ts';
export { type CallGroups, groupCalls, rowsOf, summarise, totalOf, costText } from './summary/summarise.ts';
export { usageCsv } from './summary/usage-json.ts';
export { type Dimension, usageJson, type UsageRow } from './summary/usage-json.ts';
export { createEventStreamEditor } from './streams/event-stream/event-stream-editor.ts';
export { createLinesEditor } from './streams/lines-editor.ts';
export { createMessageEditor } from './streams/message-editor.ts';
export { createSseEditor } from './streams/sse/sse-editor.ts';
export type {
  EditorOptions,
  EventStreamEdit,
  EventStreamMessage,
  LineEdit,
  MessageEdit,
  MessageEditor,
  MessageFrame,
  Unread,
} from './streams/types.ts';
export { wrapChunk } from './streams/event-stream/chunk.ts';
export { type AnswerOptions, createAnswerEditor, createEventEditor, type EventEditor } from './answer/event-editor.ts';
export type { OpenStage, TextStage } from './answer/channels.ts';
export { dialects } from './dialects/dialects.ts';
export { isTextLeaf } from './dialects/request-places.ts';
export { knownServers } from '../policy/llm/known-servers.ts';
export type { ModelServer } from '../policy/llm/match-host.ts';
export { recogniseCall, type SeenRequest } from './dialects/recognise/recognise-call.ts';
export { type AnswerKeeper, createAnswerKeeper, type KeeperOptions, type KeptEvent } from './kept/answer-keeper.ts';
export { type AnswerWords, conversationOf, type SaidWords, wordsOfAnswer } from './kept/conversation.ts';
