import { editJsonText } from '../../../dlp/json/edit-json.ts';
import type { FakeMap } from '../../../dlp/types.ts';
import type { DlpRule } from '../../../policy/llm/types.ts';
import { isTextLeaf } from '../../index.ts';
import type { ContentRules } from '../content-rules.ts';
import { editContent } from '../edit-content.ts';

/** Takes out of texts what may not lie on the disk. */
export interface Redactor {
  /**
   * Of a JSON document, in its texts, in JSON within them, and in what stands between. Undefined for what is no JSON.
   */
  json(document: string): string | undefined;
  text(text: string): string;
}

export interface RedactorOptions {
  /** Those of `lookedForIn`, ready. */
  readonly rules: ContentRules;
  /** Fakes of the session are nobody's keys, and stay. */
  readonly fakes: FakeMap;
}

const always: DlpRule = {
  name: 'built-in: log',
  decision: 'redact',
  finds: ['keys', 'private-keys', 'tokens', 'payment'],
  patterns: [],
  hosts: 'models',
};

/** What is taken out of the texts of a call: what any of its rules looks for, whatever the rule decides. */
export function lookedForIn(rules: readonly DlpRule[]): readonly DlpRule[] {
  return [always, ...rules.map((rule): DlpRule => ({ ...rule, decision: 'redact' }))];
}

export function createRedactor({ rules: all, fakes }: RedactorOptions): Redactor {
  // What has no fake yet needs none here.
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

/** Octets above which a file in base64 is only named. */
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
  // Text of one word is no file.
  if (!isNamed && new Set(base64.slice(0, longestFile)).size < fewestCharacters) return undefined;
  return `[${bytes} bytes of ${type ?? beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? 'base64'}]`;
}

const fewestCharacters = 32;
