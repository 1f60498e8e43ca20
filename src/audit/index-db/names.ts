import type { DatabaseSync } from 'node:sqlite';
import { normalisePath } from '../../policy/normalise/path.ts';
import { nameKinds, type NameKind } from './schema.ts';

/** Numbers texts within one transaction; null for what is empty or cannot be a path. */
export function namesIn(database: DatabaseSync): (kind: NameKind, text: string) => number | null {
  const known = new Map<string, number>();
  const find = database.prepare('SELECT id FROM names WHERE kind = ? AND text = ?');
  const insert = database.prepare('INSERT INTO names(kind, text) VALUES(?, ?)');
  return (kind, text) => {
    const stored = storedName(kind, text);
    if (stored === undefined) return null;
    const key = `${nameKinds[kind]}${stored}`;
    const id =
      known.get(key) ??
      (find.get(nameKinds[kind], stored)?.['id'] as number | undefined) ??
      Number(insert.run(nameKinds[kind], stored).lastInsertRowid);
    known.set(key, id);
    return id;
  };
}

/** How a text stands in the dictionary: a host backwards, so that names below a domain lie side by side. */
function storedName(kind: NameKind, text: string): string | undefined {
  if (text === '') return undefined;
  if (kind === 'host') return backwards(text);
  return kind === 'path' ? normalisePath(text) : text.toWellFormed();
}

export function backwards(text: string): string {
  return [...text.toWellFormed()].toReversed().join('');
}
