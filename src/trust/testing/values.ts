import { hash } from 'node:crypto';
import type { ExecutableField, FoundFile, Surface, TrustEntry } from '../types.ts';

export const sha = (text: string | Uint8Array): string => hash('sha256', text);

export const mcpSurface: Surface = {
  name: 'mcp-json',
  components: ['.mcp.json'],
  kind: 'mcp',
  clients: ['claude'],
  format: 'json',
  gate: 'hidden',
  fields: [{ path: 'mcpServers.*.command', effect: 'runs', names: 'script' }],
  source: 'test',
};

export const rulesSurface: Surface = {
  name: 'agents-md',
  components: ['AGENTS.md'],
  kind: 'instructions',
  clients: ['any'],
  format: 'markdown',
  gate: 'hidden',
  fields: [],
  source: 'test',
};

export const commandField: ExecutableField = { path: 'mcpServers.docs.command', effect: 'runs', value: 'docs-server' };

export interface FileParts extends Partial<Omit<FoundFile, 'sha256' | 'size'>> {
  /** Its content. */
  readonly text?: string;
}

export function foundFile({ text = '{}\n', ...parts }: FileParts = {}): FoundFile {
  return {
    path: '.mcp.json',
    surface: mcpSurface,
    sha256: sha(text),
    size: Buffer.byteLength(text),
    fields: [commandField],
    scripts: [],
    ...parts,
  };
}

export function trustEntry(parts: Partial<TrustEntry> = {}): TrustEntry {
  const { path, sha256, surface, fields, scripts } = foundFile();
  return {
    path,
    sha256,
    surface: surface.name,
    level: 'always',
    approvedAt: '2026-01-02T03:04:05.678Z',
    fields,
    scripts,
    ...parts,
  };
}
