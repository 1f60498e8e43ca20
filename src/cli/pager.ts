import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Writable } from 'node:stream';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shows text on the terminal through `$PAGER`, or `less -R`, or plainly when there is neither. Resolves when the reader has seen enough. */
export async function showInPager(pieces: Iterable<string>, environment: Environment): Promise<void> {
  const { PAGER: pager = 'less -R' } = environment;
  if (pager === '' || pager === 'cat') return writeAll(pieces, process.stdout);
  // A pager that is not there must not swallow the text; the shell takes the name apart as others do.
  const child = spawn('/bin/sh', ['-c', `${pager}; status=$?; [ $status -eq 127 ] && exec cat; exit $status`], { stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', ...environment } });
  const ended = once(child, 'close');
  child.stdin.on('error', () => {});
  // The terminal sends an interrupt to both: the pager decides what it means.
  process.on('SIGINT', ignore);
  try {
    await writeAll(pieces, child.stdin);
    child.stdin.end();
    await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}

function ignore(): void {}

async function writeAll(pieces: Iterable<string>, stream: Writable): Promise<void> {
  for (const piece of pieces) {
    if (stream.destroyed || stream.errored !== null) return;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(ignore);
  }
}
