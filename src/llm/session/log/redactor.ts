import { editJsonText } from '../../../dlp/json/edit-json.ts';
import type { FakeMap } from '../../../dlp/types.ts';
import type { DlpRule } from '../../../policy/llm/types.ts';
import { isTextLeaf } from '../../index.ts';
import type { ContentRules } from '../content-rules.ts';
import { editContent } from '../edit-content.ts';

/** Removes content from texts that must not be stored on disk. */
export interface Redactor {
  /** Redacts a JSON document: its texts, JSON inside them, and the text in between. Undefined if it is not JSON. */
  json(document: string): string | undefined;
  text(text: string): string;
}

export interface RedactorOptions {
  /** The rules of `lookedForIn`, prepared for searches. */
  readonly rules: ContentRules;
  /** The session's fakes are not real keys, so they stay. */
  readonly fakes: FakeMap;
}

const always: DlpRule = {
  name: 'built-in: log',
  decision: 'redact',
  finds: ['keys', 'private-keys', 'tokens', 'payment'],
  patterns: [],
  hosts: 'models',
};

/** Returns the rules for kept texts: the searches of all rules, with every decision. */
export function lookedForIn(rules: readonly DlpRule[]): readonly DlpRule[] {
  return [always, ...rules.map((rule): DlpRule => ({ ...rule, decision: 'redact' }))];
}

export function createRedactor({ rules: all, fakes }: RedactorOptions): Redactor {
  // Redacting creates no fakes.
  const known: FakeMap = { ...fakes, realOf: (fake) => fakes.realOf(fake), fakeFor: () => undefined };
  const text = (plain: string): string => {
    let shown = '';
    let last = 0;
    for (const { rule, start, end } of all.scanner.find(plain)) {
      if (fakes.realOf(plain.slice(start, end)) !== undefined) continue;
      shown += `${plain.slice(last, start)}[redacted:${rule}]`;
      last = end;
    }
    return shown + plain.slice(last);
  };
  return {
    text,
    json(document) {
      const light = editJsonText(document, { fields: ['**'], edit: fileNote });
      if (light.kind !== 'json') return undefined;
      const edited = editContent(Buffer.from(light.text), { rules: all, fakes: known });
      return edited.kind === 'passes' ? text(edited.bytes.toString()) : undefined;
    },
  };
}

/** For a base64 file with more octets than this, only the type is kept. */
const longestFile = 1024;

const beginnings: readonly (readonly [beginning: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
  ['UEsDB', 'application/zip'],
];

function fileNote(leaf: string): string | undefined {
  if (leaf.length * 0.75 <= longestFile) return undefined;
  const [, type, data] = /^data:([\w/+.-]{1,100});base64,([\w+/=\r\n-]*)$/u.exec(leaf) ?? [];
  const base64 = data ?? leaf;
  const bytes = Math.floor(base64.replaceAll(/[=\r\n]/gu, '').length * 0.75);
  if (bytes <= longestFile || !/^[\w+/=\r\n-]*$/u.test(base64)) return undefined;
  const isNamed = type !== undefined || !isTextLeaf(base64);
  // Text with few different characters is not a file.
  if (!isNamed && new Set(base64.slice(0, longestFile)).size < fewestCharacters) return undefined;
  return `[${bytes} bytes of ${type ?? beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? 'base64'}]`;
}

const fewestCharacters = 32;
