import process from 'node:process';

/** Acts when this process exits, unless the returned function was called before. Of these there may be as many as there are boxes. */
export function atExit(act: () => void): () => void {
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.once('exit', act);
  return () => {
    process.off('exit', act);
    process.setMaxListeners(process.getMaxListeners() - 1);
  };
}
