import { type PatternProblem, patternProblem } from './command-pattern.ts';

/** A port of the box's loopback that is shown on the host's loopback. */
export interface ForwardPattern {
  readonly kind: 'forward';
  /** Where the host sees it. */
  readonly host: number;
  /** Where the program in the box listens. */
  readonly box: number;
}

const highestPort = 65_535;

/** Reads `8080`, the same port on both sides, or `3000:8080`, host before box. */
export function parseForward(source: string): ForwardPattern | PatternProblem {
  const [, first = '', second = first] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(source) ?? [];
  const [host, box] = [Number(first), Number(second)];
  if (first !== '' && isPort(host) && isPort(box)) return { kind: 'forward', host, box };
  return patternProblem(
    `"${source}" is no port to forward`,
    'write a port such as 8080, or "3000:8080" for port 8080 of the box on port 3000 of the host',
  );
}

function isPort(port: number): boolean {
  return port >= 1 && port <= highestPort;
}
