import { parseBody, splitLine } from './chain.ts';
import { chunksOf } from './chunks.ts';

/** The fields of the first line of a file; undefined when it is no entry. */
export function firstEvent(fd: number, size: number): Readonly<Record<string, unknown>> | undefined {
  for (const { kind, bytes } of chunksOf(fd, { from: 0, to: size })) {
    const parts = kind === 'lines' ? splitLine(bytes.toString('utf8', 0, bytes.indexOf(0x0a))) : undefined;
    return parts === undefined ? undefined : parseBody(parts.body);
  }
  return undefined;
}
