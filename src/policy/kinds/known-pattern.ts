import { HoldfastError } from '../../errors/index.ts';
import { isPresetName, type PresetName, presetNames } from '../builtin/presets/index.ts';
import { nearest } from '../document/suggest.ts';
import {
  type CommandPattern,
  type ForwardPattern,
  parseCommandPattern,
  parseForward,
  type PatternProblem,
} from '../patterns/command-pattern.ts';
import { type HostPattern, parseHostPattern, parsePorts, type PortRange } from '../patterns/host-pattern.ts';
import { parsePathPattern, type PathPattern } from '../patterns/path-pattern.ts';

/**
 * Parses patterns of checked documents. Throws for an invalid pattern, because a document from a program may be
 * unchecked.
 */
export function knownPath(source: string): PathPattern {
  return known(parsePathPattern(source));
}

export function knownHost(source: string): HostPattern {
  return known(parseHostPattern(source));
}

export function knownCommand(source: string): CommandPattern {
  return known(parseCommandPattern(source));
}

export function knownPorts(port: number | string): PortRange {
  const ports = parsePorts(String(port));
  if (ports !== undefined) return ports;
  throw refusal(`"${port}" is not a port`, 'write a port from 1 to 65535, or a range such as "8000-8100"');
}

export function knownForward(source: string): ForwardPattern {
  return known(parseForward(source));
}

export function knownPreset(name: string): PresetName {
  if (isPresetName(name)) return name;
  throw refusal(`unknown preset "${name}"`, presetRemedy(name));
}

/** Suggests the most likely intended preset. */
export function presetRemedy(name: string): string {
  const meant = nearest(name, presetNames);
  return meant === undefined ? `use one of: ${presetNames.join(', ')}` : `did you mean "${meant}"?`;
}

function known<Pattern extends { readonly kind: string }>(pattern: Pattern | PatternProblem): Pattern {
  if (isProblem(pattern)) throw refusal(pattern.message, pattern.remedy);
  return pattern;
}

function isProblem(pattern: { readonly kind: string }): pattern is PatternProblem {
  return pattern.kind === 'problem';
}

function refusal(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_POLICY_INVALID', message, { remedy });
}
