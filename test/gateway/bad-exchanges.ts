import type { Answer, ServerDialect } from '../lib/model-server/index.ts';
import { badAnswers } from './bad-answers.ts';
import { badRequests } from './bad-requests.ts';
import { badSockets } from './bad-sockets.ts';

/** Input that a gateway passes on unchanged, or refuses as the provider would. It never alters the input. */
export interface BadExchange {
  readonly name: string;
  readonly dialect: ServerDialect;
  /** The bytes for the server. The second piece follows the first answer. Made on demand, because some have 100 MB. */
  readonly request: () => readonly Buffer[];
  /** Default: a short text. */
  readonly answer?: () => Answer;
  /** The direct status, without a gateway. `nothing`: no answer comes, because the request never ends. */
  readonly direct: number | 'nothing';
}

export const badExchanges: readonly BadExchange[] = [...badRequests, ...badAnswers, ...badSockets];
