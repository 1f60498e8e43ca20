import { type Fields, type IncomingResponse, type OutgoingRequest, fieldValue } from '../../../egress/http/message.ts';
import type { Destination } from '../../../egress/types.ts';
import {
  type AnswerKeeper,
  createAnswerKeeper,
  type Dialect,
  type StreamFraming,
  type KeptEvent,
  type CallMeter,
  type ModelCall,
} from '../../index.ts';
import { newCallId } from './call-id.ts';
import { watchBody } from './kept-body.ts';
import type { CallAnswerLine, CallEnd, CallHead, KeptContent } from './read-call.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import type { Redactor } from './redactor.ts';

/** Receives the texts of one call. It never throws: the call proceeds even if its texts cannot be kept. */
export interface KeptCall {
  /** Returns the reason that nothing can be kept. Undefined if the texts can be kept. */
  failure(): string | undefined;
  /** Records the request as it is sent. */
  request(request: Pick<OutgoingRequest, 'method' | 'fields'>, bytes: Buffer | undefined): void;
  /** Reads the events of an answer in addition to another meter. */
  metered(meter: CallMeter, answer: Pick<IncomingResponse, 'status' | 'fields'>, framing: StreamFraming): CallMeter;
  /** Keeps an answer without a model's text, such as an error, while it is read. */
  whole(answer: IncomingResponse, signal: AbortSignal): IncomingResponse;
  /** Returns the journal's note about the kept texts. A call whose request was not sent is not kept. */
  end(completeness: CallEnd['end']): KeptAs;
}

export interface KeptAs {
  readonly log?: string;
  readonly logFailure?: string;
}

export interface KeepOptions {
  readonly directory: string;
  readonly session: string;
  readonly workspace: string;
  readonly redactor: Redactor;
  /** Called with the bytes of each finished file. */
  readonly onKept: (size: number) => void;
}

interface Keeping {
  readonly recorder: Recorder;
  readonly redactor: Redactor;
  readonly head: CallHead;
  keeper?: AnswerKeeper;
  /** `body`: the end of an answer that is being read will end the file. */
  state: 'refused' | 'sent' | 'body' | 'done';
  /** Characters of the answer. */
  length: number;
  kept: 'whole' | 'cut';
}

const longestPath = 1000;

/** Content of the first line of the file. */
export interface CallToKeep {
  readonly gateway: { now(): number };
  readonly call: ModelCall;
  readonly dialect: Dialect;
  readonly destination: Destination;
  /** Without the query. */
  readonly path: string;
}

export function openKeptCall(
  { directory, session, workspace, redactor, onKept }: KeepOptions,
  { gateway, call, destination, path, dialect }: CallToKeep,
): KeptCall {
  const now = gateway.now();
  const id = newCallId(now);
  const head: CallHead = {
    v: 1,
    id,
    time: new Date(now).toISOString(),
    session,
    workspace,
    provider: call.provider,
    dialect: call.dialect,
    operation: call.operation,
    host: destination.host,
    port: destination.port,
    method: '',
    path: redactor.text(path).slice(0, longestPath),
  };
  const keeping: Keeping = {
    recorder: openRecorder({ directory, id, onKept }),
    redactor,
    head,
    state: 'refused',
    length: 0,
    kept: 'whole',
  };
  const { recorder } = keeping;
  return {
    failure: () => recorder.failure(),
    request: (request, bytes) => keepRequest(keeping, request, bytes),
    metered(meter, answer, framing) {
      recorder.write(() => answerLine(keeping, answer, framing === 'json' ? 'json' : 'stream'));
      const keeper = createAnswerKeeper({
        dialect,
        framing,
        most: longestContent,
        write: (event) => keepEvent(keeping, event),
      });
      keeping.keeper = keeper;
      return {
        read(event, name) {
          meter.read(event, name);
          keeper.read(event, name);
        },
        outcome: (end) => meter.outcome(end),
      };
    },
    whole: (answer, signal) => keepWhole(keeping, answer, signal),
    end: (completeness) => endCall(keeping, completeness),
  };
}

function keepRequest(
  keeping: Keeping,
  { method, fields }: Pick<OutgoingRequest, 'method' | 'fields'>,
  bytes: Buffer | undefined,
): void {
  const { recorder, redactor, head } = keeping;
  keeping.state = 'sent';
  recorder.write(() => ({ ...head, method }));
  // Written while the request is being sent, because another search takes longer than sending.
  recorder.soon(() => ({
    request: keptContent(bytes, fieldValue(fields, 'content-type'), redactor),
    fields: keptFields(fields, redactor.text),
  }));
}

function answerLine(
  { redactor }: Keeping,
  { status, fields }: Pick<IncomingResponse, 'status' | 'fields'>,
  form: CallAnswerLine['answer']['form'],
): CallAnswerLine {
  return { answer: { status, fields: keptFields(fields, redactor.text), form } };
}

function keepEvent(keeping: Keeping, { event, data }: KeptEvent): void {
  const { recorder, redactor } = keeping;
  const text = typeof data === 'string' ? redactor.text(data) : redactor.json(JSON.stringify(data));
  keeping.length += text?.length ?? 0;
  if (text === undefined || keeping.length > longestContent) keeping.kept = 'cut';
  else recorder.write(() => ({ ...(event === undefined ? {} : { event: redactor.text(event) }), data: text }));
}

function keepWhole(keeping: Keeping, answer: IncomingResponse, signal: AbortSignal): IncomingResponse {
  const { recorder, redactor } = keeping;
  recorder.write(() => answerLine(keeping, answer, 'other'));
  if (answer.body === undefined || keeping.state !== 'sent') return answer;
  keeping.state = 'body';
  const type = fieldValue(answer.fields, 'content-type');
  const body = watchBody(answer.body, {
    signal,
    onEnd({ bytes, length, end }) {
      recorder.write(() => ({
        content:
          bytes === undefined
            ? { bytes: length, type: redactor.text(type ?? 'no type') }
            : keptContent(bytes, type, redactor),
      }));
      finish(keeping, end === 'ended' ? 'complete' : 'partial');
    },
  });
  return { ...answer, body };
}

function endCall(keeping: Keeping, completeness: CallEnd['end']): KeptAs {
  const { recorder, head, state } = keeping;
  if (state === 'sent') finish(keeping, completeness);
  const failed = recorder.failure();
  if (state === 'refused') recorder.drop();
  if (failed !== undefined) return { logFailure: failed };
  return state === 'refused' ? {} : { log: head.id };
}

function finish(keeping: Keeping, end: CallEnd['end']): void {
  if (keeping.state === 'done') return;
  keeping.state = 'done';
  if (keeping.keeper?.end() === 'cut') keeping.kept = 'cut';
  keeping.recorder.write(() => ({ end, ...(keeping.kept === 'cut' ? { cut: true as const } : {}) }));
  keeping.recorder.finish();
}

/** Most characters to keep of a request, and of an answer. */
const longestContent = 4 * 1024 * 1024;

/** Returns the form in which content is kept: text without secrets. Of anything else, only the size is kept. */
function keptContent(bytes: Buffer | undefined, type: string | undefined, redactor: Redactor): KeptContent {
  if (bytes === undefined || bytes.length === 0) return { none: true };
  const whole = bytes.toString();
  const text = redactor.json(whole) ?? (isText(type) ? redactor.text(whole) : undefined);
  if (text === undefined) return { bytes: bytes.length, type: redactor.text(type ?? 'no type').slice(0, longestType) };
  return text.length <= longestContent ? { text } : { text: text.slice(0, longestContent), cut: true };
}

const longestType = 100;

function isText(type = ''): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/iu.test(type);
}

/** Header fields whose values are kept. Any other field may hold a credential. */
const kept = [
  'content-type',
  'user-agent',
  'accept',
  'anthropic-version',
  'anthropic-beta',
  'openai-version',
  'openai-processing-ms',
  'request-id',
  'x-request-id',
  'x-client-request-id',
  'x-amzn-requestid',
  'x-amzn-errortype',
  'x-goog-api-client',
  'apim-request-id',
  'x-stainless-lang',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'retry-after',
] as const;

const longestValue = 500;

/** Returns the kept fields of a header, by lower-case names. */
function keptFields(fields: Fields, hide: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = fieldValue(fields, name);
      return value === undefined ? [] : [[name, hide(value).slice(0, longestValue)]];
    }),
  );
}
