/** Answers as they are kept: their events with whole texts, and what was said in them, for people. */
export { type AnswerKeeper, createAnswerKeeper, type KeeperOptions, type KeptEvent } from './answer-keeper.ts';
export { type AnswerWords, conversationOf, type SaidWords, wordsOfAnswer } from './conversation.ts';
