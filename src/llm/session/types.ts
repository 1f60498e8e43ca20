import type { DlpEvent, ModelEvent } from '../../audit/index.ts';
import type { FakeMap } from '../../dlp/types.ts';
import type { Destination } from '../../egress/types.ts';
import type { DlpRule, LlmSettings } from '../../policy/llm/types.ts';
import type { Dialect, ModelCall } from '../index.ts';
import type { ContentRules } from './content-rules.ts';
import type { KeptCall } from './log/kept-call.ts';
import type { Spending } from './spending.ts';

/** An event without the fields that the session adds. */
export type OwnFields<Event> = Event extends unknown ? Omit<Event, 'session' | 'workspace'> : never;

/** The parts of one session's gateway. */
export interface Gateway {
  /**
   * Returns the policy's current settings. Undefined while the policy is invalid. In that time nothing passes anyway.
   */
  settings(): LlmSettings | undefined;
  readonly spending: Spending;
  readonly fakes: FakeMap;
  /** Returns a search for the rules and the secrets of the session. Undefined if nothing is searched for. */
  rulesFor(rules: readonly DlpRule[]): ContentRules | undefined;
  /** Returns true if a URL in an answer leads to an allowed destination. */
  allows(url: string): boolean;
  /** Removes all matches of rules from a model's text, for the journal. */
  hide(text: string): string;
  /** Records an event. A refusal is on disk before this returns. */
  record(event: OwnFields<ModelEvent> | OwnFields<DlpEvent>): void;
  /** Keeps the texts of a call, if the policy requires it. */
  keep?(call: LookedCall): KeptCall | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** One inspected request. */
export interface CallLook {
  readonly gateway: Gateway;
  readonly settings: LlmSettings;
  readonly destination: Destination;
  /** Without the query. */
  readonly path: string;
}

export interface LookedCall extends CallLook {
  readonly rules: readonly DlpRule[];
  readonly call: ModelCall;
  readonly dialect: Dialect;
}

/** Facts about a call so far. */
export interface CallState extends LookedCall {
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly agent: string | undefined;
  /** Absent if no texts are kept. */
  readonly kept?: KeptCall | undefined;
}
