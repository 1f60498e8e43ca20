import { HoldfastError } from '../errors/index.ts';
import { text, type OptionValue } from './command.ts';

/** The port that `--port` names; 0, which stands for a free one, without it. */
export function portOf(value: OptionValue): number {
  const given = text(value);
  const port = Number(given ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new HoldfastError('HF_USAGE', `expected a port, got ${JSON.stringify(given)}`, { remedy: 'use a number from 1 to 65535, as in --port 3128' });
}
