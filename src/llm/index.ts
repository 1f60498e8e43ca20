/**
 * The room for language models: how their servers are spoken to, what an answer cost, and how text in a stream is changed while it
 * streams. Dialects and prices are data.
 *
 * Pure: connections, credentials, files and clocks may not enter. What is looked for in texts is the business of `dlp`.
 */
export type * from './types.ts';
export { type Cost, createPricer, type CustomPrice, type CustomPrices, matchesGlob, type PricedCall, type PriceOf, priceTable } from './cost/index.ts';
export { type Budget, type BudgetAnswer, type BudgetCall, type BudgetOptions, type BudgetRefusal, type Budgets, budgetStates, type BudgetState, type BudgetWarning, createBudgets, createRateLimits, type RateAnswer, type RateLimit, type RateLimits, type SpentCall } from './budget/index.ts';
export { type CallGroups, costText, type Dimension, groupCalls, rowsOf, summarise, totalOf, usageCsv, usageJson, type UsageRow, usageTable } from './summary/index.ts';
export { createEventStreamEditor, createLinesEditor, createMessageEditor, createSseEditor, type EditorOptions, type EventStreamEdit, type EventStreamMessage, type LineEdit, type MessageEdit, type MessageEditor, type MessageFrame, type Unread, wrapChunk } from './streams/index.ts';
export { type AnswerOptions, createAnswerEditor, createEventEditor, type EventEditor, type OpenStage, type TextStage } from './answer/index.ts';
export { dialects, isTextLeaf, knownServers, type ModelServer, recogniseCall, type SeenRequest } from './dialects/index.ts';
export { type AnswerKeeper, type AnswerWords, conversationOf, createAnswerKeeper, type KeeperOptions, type KeptEvent, type SaidWords, wordsOfAnswer } from './kept/index.ts';
