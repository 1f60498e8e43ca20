import { proseFile, type AttackFile } from '../attack-text.ts';

const languages: Readonly<Record<string, string>> = {
  json: 'json',
  py: 'python',
  sh: 'sh',
  sql: 'sql',
  toml: 'toml',
  tsv: 'tsv',
};

/** The Markdown of an attack with these files. The first is its prose. Throws for a file that no block can hold. */
export function attackMarkdown([prose, ...files]: readonly AttackFile[]): string {
  if (
    prose === undefined ||
    prose.name !== proseFile ||
    !canStand(prose) ||
    /^```/mu.test(prose.text) ||
    prose.text === ''
  )
    throw new Error('no prose, or prose with a fence');
  return [prose.text, ...files.map(blockOf)].join('\n');
}

function blockOf(file: AttackFile): string {
  if (!canStand(file)) throw new Error(`no block can hold ${file.name}`);
  const fence = '`'.repeat(Math.max(2, ...[...file.text.matchAll(/`+/gu)].map(([run]) => run.length)) + 1);
  return `${fence}${languages[file.name.split('.').at(-1) ?? ''] ?? 'text'} ${file.name}${file.mode === 'executable' ? ' executable' : ''}\n${file.text}${fence}\n`;
}

function canStand({ name, text }: AttackFile): boolean {
  return /^\w[\w.-]*$/u.test(name) && (text === '' || text.endsWith('\n')) && !/[\0\r]/u.test(text);
}
