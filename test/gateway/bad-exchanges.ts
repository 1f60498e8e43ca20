import type { Answer, ServerDialect } from '../lib/model-server/index.ts';
import { badAnswers } from './bad-answers.ts';
import { badRequests } from './bad-requests.ts';
import { badSockets } from './bad-sockets.ts';

/** Input that a gateway passes on as it is, or refuses as the provider would: never alters. */
export interface BadExchange {
  readonly name: string;
  readonly dialect: ServerDialect;
  /** What goes to the server; the second piece after the first answer. Made when it is needed: some are of 100 MB. */
  readonly request: () => readonly Buffer[];
  /** Default: a short text. */
  readonly answer?: () => Answer;
  /** The status with nothing between. `nothing`: no answer comes, because the request never ends. */
  readonly direct: number | 'nothing';
}

export const badExchanges: readonly BadExchange[] = [...badRequests, ...badAnswers, ...badSockets];
