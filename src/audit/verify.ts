import { chainHash, genesis, parseBody, splitLine } from './chain.ts';
import { readLines } from './read.ts';

export interface JournalReport {
  readonly entries: number;
  /** Empty when the chain is whole. */
  readonly problems: readonly JournalProblem[];
}

export interface JournalProblem {
  /** 1-based line of the file. */
  readonly line: number;
  readonly message: string;
}

/** Walks the chain and locates every edit, cut, insertion and reordering. A cut at the very end needs the last known hash. */
export function verifyJournal(file: string): JournalReport {
  const problems: JournalProblem[] = [];
  let previous = genesis;
  let seq = 0;
  const { lines, torn } = readLines(file);
  for (const [index, line] of lines.entries()) {
    const found = checkLine(line, previous, seq + 1);
    problems.push(...found.messages.map((message) => ({ line: index + 1, message })));
    previous = found.hash ?? previous;
    seq = found.seq ?? seq;
  }
  if (torn !== '') problems.push({ line: lines.length + 1, message: 'this line is cut short: writing it was interrupted, and the next event replaces it' });
  return { entries: lines.length, problems };
}

interface CheckedLine {
  readonly messages: readonly string[];
  readonly hash?: string;
  readonly seq?: number;
}

function checkLine(line: string, previous: string, expected: number): CheckedLine {
  const parts = splitLine(line);
  if (parts === undefined) return { messages: ['this line is no journal entry'] };
  const entry = parseBody(parts.body);
  if (entry === undefined) return { messages: ['this line is no JSON'] };
  const messages = [
    ...(entry['seq'] === expected ? [] : [`expected entry ${expected}, found ${String(entry['seq'])}: entries were removed, added or moved`]),
    ...(entry['prev'] === previous ? [] : ['the entry does not follow the one before it']),
    ...(chainHash(String(entry['prev']), parts.body) === parts.hash ? [] : ['the entry was changed after it was written']),
  ];
  return { messages, hash: parts.hash, ...(typeof entry['seq'] === 'number' ? { seq: entry['seq'] } : {}) };
}
