import process from 'node:process';
import * as v from 'valibot';
import type { ListedCommand } from '../server/listed.ts';
import { requestKind } from './request-kind.ts';

/** Bytes of the commands in one answer: with the sessions beside them it is no longer than a message may be. */
const mostBytes = 512 * 1024;
/** Characters of the words of one of them. */
const mostOfWords = 512;

/** All that the server has, and the bytes of memory that it takes. Of long words it is the start; `leftOut` counts commands, the newest, that one answer has no room for. */
export const ps = requestKind({
  schema: v.strictObject({ kind: v.literal('ps') }),
  answer: async (_request, _call, { sessions, commands, runs, startedAt }) => ({
    server: { process: process.pid, startedAt, memoryBytes: process.memoryUsage.rss() },
    sessions: await sessions.list(),
    runs: runs().map((run) => ({ ...run, words: shortened(run.words) })),
    ...fitting(commands.list()),
  }),
});

function fitting(all: readonly ListedCommand[]): { readonly commands: readonly ListedCommand[]; readonly leftOut: number } {
  let room = mostBytes;
  const commands: ListedCommand[] = [];
  for (const command of all) {
    const listed = { ...command, argv: shortened(command.argv) };
    room -= Buffer.byteLength(JSON.stringify(listed));
    if (room < 0) break;
    commands.push(listed);
  }
  return { commands, leftOut: all.length - commands.length };
}

function shortened(argv: readonly string[]): readonly string[] {
  let room = mostOfWords;
  const words: string[] = [];
  for (const word of argv) {
    if (word.length > room) return [...words, `${word.slice(0, room)}…`];
    words.push(word);
    room -= word.length + 1;
  }
  return words;
}
