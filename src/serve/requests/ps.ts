import process from 'node:process';
import * as v from 'valibot';
import { requestKind } from './request-kind.ts';

/** Bytes of the commands, and of the runs, in one answer: with the sessions beside them it is no longer than a message may be. */
const mostBytes = { commands: 512 * 1024, runs: 256 * 1024 } as const;
/** Characters of the words of one of them. */
const mostOfWords = 512;

/** All that the server has, and the bytes of memory that it takes. Of long words it is the start; `leftOut` counts commands, the newest, that one answer has no room for. */
export const ps = requestKind({
  schema: v.strictObject({ kind: v.literal('ps') }),
  answer: async (_request, _call, { sessions, commands, runs, startedAt }) => {
    const all = commands.list();
    const listed = within(mostBytes.commands, all.map((command) => ({ ...command, argv: shortened(command.argv) })));
    return {
      server: { process: process.pid, startedAt, memoryBytes: process.memoryUsage.rss() },
      sessions: await sessions.list(),
      runs: within(mostBytes.runs, runs().map((run) => ({ ...run, words: shortened(run.words) }))),
      commands: listed,
      leftOut: all.length - listed.length,
    };
  },
});

/** As many of the first as there is room for. */
function within<Item>(room: number, items: readonly Item[]): readonly Item[] {
  let left = room;
  const end = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item))) < 0);
  return end === -1 ? items : items.slice(0, end);
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
