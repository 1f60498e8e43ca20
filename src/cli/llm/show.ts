import { queryJournal } from '../../audit/index-db/query-journal.ts';
import type { JournalEntry } from '../../audit/index.ts';
import { describeCounts, inputOf, milliseconds } from '../../audit/report/describe-entry.ts';
import { HoldfastError } from '../../errors/index.ts';
import {
  type AnswerWords,
  conversationOf,
  type Dialect,
  dialects,
  type SaidWords,
  wordsOfAnswer,
} from '../../llm/index.ts';
import { callFile, isCallId } from '../../llm/session/log/call-id.ts';
import { type KeptContent, type KeptTexts, readKeptCall } from '../../llm/session/log/read-call.ts';
import type { StatePaths } from '../../place/host/state-paths.ts';
import { teller } from '../audit/tell.ts';
import { type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { listedName } from '../listing.ts';
import { callJson, callsOf, type ModelEntry, type TextsState, textsState } from './calls.ts';

type DlpEntry = Extract<JournalEntry, { readonly type: 'dlp' }>;

/** Prints one call: the journal's facts, and its texts if they are kept. */
export function showCall({ values, io }: CommandInput, paths: StatePaths, word: string): number {
  if (isSet(values['json']) && isSet(values['raw']))
    throw new HoldfastError('HF_USAGE', '--raw and --json cannot be combined', {
      remedy: 'use one of them: --json contains the kept texts as well',
    });
  const entry = onlyCall(callsOf(paths.journal, {}), word);
  const texts = textsOf(paths, entry, teller(io));
  const found = foundIn(paths.journal, entry);
  if (isSet(values['json']))
    io.stdout.write(
      jsonText({
        call: callJson(entry, textsState(paths, entry)),
        found: found.map(({ rule, decision, found: counts }) => ({ rule, decision, found: counts })),
        conversation: texts === undefined ? null : wordsOf(texts),
        kept: texts ?? null,
      }),
    );
  else if (isSet(values['raw'])) io.stdout.write(safeText(rawText(orUnkept(texts, paths, entry))));
  else
    io.stdout.write(
      safeText(`${factsText(entry, found, textsState(paths, entry))}${texts === undefined ? '' : wordsText(texts)}`),
    );
  return 0;
}

function onlyCall(calls: readonly ModelEntry[], word: string): ModelEntry {
  const numbered = calls.filter(({ seq }) => String(seq) === word);
  const found =
    numbered.length > 0 || word === '' ? numbered : calls.filter(({ log }) => log?.startsWith(word) === true);
  const [first, second] = found;
  if (first === undefined)
    throw new HoldfastError('HF_USAGE', `there is no call ${JSON.stringify(word)}`, {
      remedy: 'see `holdfast llm log`',
    });
  if (second !== undefined)
    throw new HoldfastError('HF_USAGE', `${found.length} calls begin with ${JSON.stringify(word)}`, {
      remedy: `type more of the ID: ${first.log}, ${second.log} …`,
    });
  return first;
}

/** Undefined if the texts are missing, or were changed. */
function textsOf({ calls }: StatePaths, { log }: ModelEntry, tell: (message: string) => void): KeptTexts | undefined {
  // Attack: a handwritten entry that names a file elsewhere.
  if (log === undefined || !isCallId(log)) return undefined;
  const read = readKeptCall(calls, log);
  if (read.kind === 'damaged') tell(`the texts of the call cannot be read: ${callFile(calls, log)} is damaged`);
  return read.kind === 'kept' ? read.texts : undefined;
}

function orUnkept(texts: KeptTexts | undefined, paths: StatePaths, entry: ModelEntry): KeptTexts {
  if (texts !== undefined) return texts;
  if (entry.refusal !== undefined)
    throw new HoldfastError('HF_USAGE', `call ${entry.seq} was refused, and its texts were not kept`, {
      remedy: `see \`holdfast llm show ${entry.seq}\` for why`,
    });
  const why = {
    kept: 'cannot be read',
    gone: 'were kept, but have expired',
    lost: `could not be kept (${entry.logFailure})`,
    none: 'were not kept',
  }[textsState(paths, entry)];
  throw new HoldfastError('HF_USAGE', `the texts of call ${entry.seq} ${why}`, {
    remedy: 'write `log = "bodies"` under [llm] in your policy to keep the texts of future calls',
  });
}

const mostFound = 1000;
/** Milliseconds that a machine may need from the end of a call until its entry is written. */
const latest = 1000;

/**
 * Returns the rules' findings in requests that the session sent to the same server during the call. Two calls at once
 * share their findings.
 */
function foundIn(journal: string, { time, session, duration, host, port }: ModelEntry): readonly DlpEntry[] {
  const ended = Date.parse(time);
  const { entries } = queryJournal(journal, {
    filter: { types: ['dlp'], session, since: ended - duration - latest, until: ended + 1 },
    limit: mostFound,
  });
  return entries.filter(
    (entry): entry is DlpEntry => entry.type === 'dlp' && entry.host === host && entry.port === port,
  );
}

/** Returns the journal's facts of a call, one line each. */
function factsText(entry: ModelEntry, found: readonly DlpEntry[], texts: TextsState): string {
  const {
    seq,
    log,
    time,
    session,
    agent,
    provider,
    model,
    operation,
    host,
    port,
    status,
    completeness,
    tokens,
    usd,
    prices,
    duration,
    firstByte,
    toolCalls,
    refusal,
  } = entry;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['call', `${seq}${log === undefined ? '' : ` (${log})`}`],
    ['ended', time],
    ['session', session],
    ...(agent === undefined ? [] : [['agent', agent] as const]),
    ['server', `${provider} at ${host}:${port}`],
    ['model', `${model ?? '-'} (${operation})`],
    [
      'answer',
      refusal === undefined
        ? `${status === 0 ? 'none' : status}${completeness === 'partial' ? ', cut short' : ''}`
        : `refused: ${refusal.code}: ${refusal.message}`,
    ],
    [
      'took',
      `${milliseconds(duration)}${firstByte === undefined ? '' : `, ${milliseconds(firstByte)} until the answer began`}`,
    ],
    [
      'tokens',
      tokens === undefined
        ? '?'
        : `${inputOf(tokens)} in (${tokens.cacheRead} from a cache, ${tokens.cacheWrite5m + tokens.cacheWrite1h} into one), ${tokens.output} out (${tokens.reasoning} of reasoning)`,
    ],
    ['cost', usd === null ? '?' : `${usd.toFixed(6)} USD by ${prices}`],
    ...found.map(
      ({ rule, decision, found: counts }) => ['found', `${describeCounts(counts)}: ${decision} by ${rule}`] as const,
    ),
    ...toolCalls.map(({ name, arguments: words }) => ['tool', `${name} ${words}`] as const),
    ['texts', textsWords[texts]],
  ];
  return facts.map(([name, value]) => `${name.padEnd(nameWidth)}${listedName(value)}\n`).join('');
}

const nameWidth = 10;
const textsWords: Readonly<Record<TextsState, string>> = {
  kept: 'kept',
  gone: 'gone: too old, or displaced by newer ones',
  lost: 'lost: they could not be written',
  none: 'not kept',
};

/** The texts of a call. */
interface CallWords {
  readonly request: readonly SaidWords[];
  /** A model's answer. Undefined for another kind, such as an error. */
  readonly answer?: Pick<AnswerWords, 'said' | 'toolCalls'>;
}

function wordsOf({ head, request, answer, pieces }: KeptTexts): CallWords {
  const dialect = Object.hasOwn(dialects, head.dialect)
    ? (dialects as Readonly<Record<string, Dialect>>)[head.dialect]
    : undefined;
  if (dialect === undefined) return { request: [] };
  const said = 'text' in request.request ? conversationOf(dialect, request.request.text) : [];
  if (answer === undefined || answer.form === 'other') return { request: said };
  const events = pieces.flatMap((piece) =>
    'data' in piece ? [{ ...(piece.event === undefined ? {} : { event: piece.event }), data: parsed(piece.data) }] : [],
  );
  const { said: words, toolCalls } = wordsOfAnswer(events, {
    dialect,
    framing: answer.form === 'json' ? 'json' : 'sse',
  });
  return { request: said, answer: { said: words, toolCalls } };
}

/** Returns the conversation for people. Its texts are indented, so that none looks like a heading. */
function wordsText(texts: KeptTexts): string {
  const { request, answer } = wordsOf(texts);
  const asked =
    request.length > 0
      ? request.map(({ role, part, text }) => paragraph(`${role}${part === undefined ? '' : `, ${part}`}`, text))
      : [paragraph('request', contentText(texts.request.request))];
  const answered =
    answer === undefined
      ? texts.pieces.map((piece) =>
          paragraph(`answer ${texts.answer?.status ?? ''}`, 'data' in piece ? piece.data : contentText(piece.content)),
        )
      : [
          ...answer.said.map(({ kind, text }) => paragraph(kind === 'text' ? 'answer' : `answer, ${kind}`, text)),
          ...answer.toolCalls.map(({ name, arguments: words }) => paragraph(`answer, calls ${name}`, words)),
        ];
  const cut =
    texts.end.cut === true || ('cut' in texts.request.request && texts.request.request.cut === true)
      ? ['\n(more was said than is kept)\n']
      : [];
  return [
    ...asked,
    ...answered,
    ...(texts.end.end === 'partial' ? ['\n(the answer was cut short)\n'] : []),
    ...cut,
  ].join('');
}

/** Returns request and answer unchanged. */
function rawText({ request, answer, pieces }: KeptTexts): string {
  const sent = `${contentText(request.request)}\n`;
  if (answer === undefined) return sent;
  return `${sent}\n${pieces.map((piece) => ('data' in piece ? `${piece.event === undefined ? '' : `event: ${piece.event}\n`}${answer.form === 'stream' ? 'data: ' : ''}${piece.data}\n${answer.form === 'stream' ? '\n' : ''}` : `${contentText(piece.content)}\n`)).join('')}`;
}

function paragraph(heading: string, text: string): string {
  return `\n${listedName(heading)}\n${text
    .split(/\r?\n/u)
    .map((line) => `  ${line}`)
    .join('\n')}\n`;
}

function contentText(content: KeptContent): string {
  if ('text' in content) return content.text;
  return 'none' in content ? '(no content)' : `(${content.bytes} bytes of ${content.type}, not kept)`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
