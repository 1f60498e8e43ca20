import process from 'node:process';

/** Acts when this process exits, unless the returned function was called before. Of these there may be as many as there are boxes. */
export function atExit(act: () => void): () => void {
  allowListeners(1);
  process.once('exit', act);
  return () => {
    process.off('exit', act);
    allowListeners(-1);
  };
}

/** Zero stands for any number. */
function allowListeners(more: number): void {
  const most = process.getMaxListeners();
  if (most > 0) process.setMaxListeners(most + more);
}
