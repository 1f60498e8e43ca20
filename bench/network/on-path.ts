import { existsSync } from 'node:fs';
import { join } from 'node:path';

export function onPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(':')
    .map((directory) => join(directory, program))
    .find(existsSync);
}
