import { mimeType } from '../artifacts/mime-type.ts';
import { present, type TextFinding } from '../../text/index.ts';
import type { CodeError, CodeExecution, CodeFormat, CodeResult } from './code-execution.ts';
import type { Reply, ReplyFormat } from './protocol/reply.ts';

type Shaped = Pick<CodeExecution, 'results' | 'resultsLeftOut' | 'error' | 'exitCode' | 'findings'>;

/** What a caller gets of the answers. `shown`: texts as a model or a person may read them. */
export function shapedResults(replies: readonly Reply[], show: 'model' | 'person' | undefined): Shaped {
  const findings: TextFinding[] = [];
  const filter = (text: string): string => {
    if (show === undefined) return text.toWellFormed();
    const filtered = present(show === 'model' ? 'command-output' : 'terminal-output', text);
    findings.push(...filtered.findings);
    return filtered.text;
  };
  const results = replies.flatMap((reply) => (reply.kind === 'end' ? [] : [resultOf(reply, filter)]));
  const end = replies.findLast((reply) => reply.kind === 'end');
  return {
    results,
    resultsLeftOut: end?.leftOut ?? 0,
    findings,
    ...(end?.error === undefined ? {} : { error: errorOf(end.error, filter) }),
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
  };
}

type Filter = (text: string) => string;

function errorOf({ name, message, traceback }: CodeError, filter: Filter): CodeError {
  return { name: filter(name), message: filter(message), traceback: filter(traceback) };
}

function resultOf({ kind, formats: given }: Exclude<Reply, { readonly kind: 'end' }>, filter: Filter): CodeResult {
  const formats = given.map((format) => formatOf(format, filter));
  const text = formats.find(({ mimeType: type }) => type === 'text/plain')?.data.toString();
  const json = jsonOf(given);
  return { kind, formats, ...(text === undefined ? {} : { text }), ...(json === undefined ? {} : { json }) };
}

/** Attack: a picture that is none. */
function formatOf(format: ReplyFormat, filter: Filter): CodeFormat {
  if ('text' in format) return { mimeType: format.type, data: Buffer.from(filter(format.text)) };
  const data = Buffer.from(format.base64, 'base64');
  return { mimeType: mimeType('', data), data };
}

function jsonOf(formats: readonly ReplyFormat[]): unknown {
  const format = formats.find(({ type }) => type === 'application/json');
  if (format === undefined || !('text' in format)) return undefined;
  try {
    return JSON.parse(format.text);
  } catch {
    return undefined;
  }
}
