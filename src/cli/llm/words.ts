import { type AnswerWords, conversationOf, type Dialect, dialects, type SaidWords, wordsOfAnswer } from '../../llm/index.ts';
import type { KeptContent, KeptTexts } from '../../sandbox/llm/log/index.ts';
import { oneLine } from '../listing.ts';

/** What was said in a call. */
export interface CallWords {
  readonly request: readonly SaidWords[];
  /** Of a model; undefined for an answer of another kind, such as an error. */
  readonly answer?: Pick<AnswerWords, 'said' | 'toolCalls'>;
}

export function wordsOf({ head, request, answer, pieces }: KeptTexts): CallWords {
  const dialect = Object.hasOwn(dialects, head.dialect) ? (dialects as Readonly<Record<string, Dialect>>)[head.dialect] : undefined;
  if (dialect === undefined) return { request: [] };
  const said = 'text' in request.request ? conversationOf(dialect, request.request.text) : [];
  if (answer === undefined || answer.form === 'other') return { request: said };
  const events = pieces.flatMap((piece) => ('data' in piece ? [{ ...(piece.event === undefined ? {} : { event: piece.event }), data: parsed(piece.data) }] : []));
  const { said: words, toolCalls } = wordsOfAnswer(events, { dialect, framing: answer.form === 'json' ? 'json' : 'sse' });
  return { request: said, answer: { said: words, toolCalls } };
}

/** The conversation for people. Its texts are indented, so that none looks like a heading. */
export function wordsText(texts: KeptTexts): string {
  const { request, answer } = wordsOf(texts);
  const asked = request.length > 0 ? request.map(({ role, part, text }) => paragraph(`${role}${part === undefined ? '' : `, ${part}`}`, text)) : [paragraph('request', contentText(texts.request.request))];
  const answered =
    answer === undefined
      ? texts.pieces.map((piece) => paragraph(`answer ${texts.answer?.status ?? ''}`, 'data' in piece ? piece.data : contentText(piece.content)))
      : [...answer.said.map(({ kind, text }) => paragraph(kind === 'text' ? 'answer' : `answer, ${kind}`, text)), ...answer.toolCalls.map(({ name, arguments: words }) => paragraph(`answer, calls ${name}`, words))];
  const cut = texts.end.cut === true || ('cut' in texts.request.request && texts.request.request.cut === true) ? ['\n(more was said than is kept)\n'] : [];
  return [...asked, ...answered, ...(texts.end.end === 'partial' ? ['\n(the answer was cut short)\n'] : []), ...cut].join('');
}

/** Request and answer as they were kept. */
export function rawText({ request, answer, pieces }: KeptTexts): string {
  const sent = `${contentText(request.request)}\n`;
  if (answer === undefined) return sent;
  return `${sent}\n${pieces.map((piece) => ('data' in piece ? `${piece.event === undefined ? '' : `event: ${piece.event}\n`}${answer.form === 'stream' ? 'data: ' : ''}${piece.data}\n${answer.form === 'stream' ? '\n' : ''}` : `${contentText(piece.content)}\n`)).join('')}`;
}

function paragraph(heading: string, text: string): string {
  return `\n${oneLine(heading)}\n${text.split(/\r?\n/u).map((line) => `  ${line}`).join('\n')}\n`;
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
