import { type Architecture, architectures } from './architecture.ts';
import { buildFilter } from './build.ts';
import { notifiedNames } from './notify-calls.ts';
import { buildNotifyFilter } from './notify.ts';

/** The text of `built-filters.ts`. `scripts/build-seccomp.ts` writes it, and a test compares it. */
export function renderBuiltFilters(): string {
  const entries = names.flatMap((architecture) =>
    (['deny', 'allow'] as const).map((ptrace) => {
      const text = Buffer.from(buildFilter({ architecture, ptrace })).toString('base64');
      return `  '${architecture}-${ptrace}':\n    '${text}',\n`;
    }),
  );
  return `${heading}export const builtFilters = {\n${entries.join('')}} as const;\n${renderGuards()}${renderNumbers()}`;
}

/** The filter with a listener for new names. */
function renderGuards(): string {
  const entries = names.map((name) => `  ${name}: '${Buffer.from(buildNotifyFilter(['creations'], architectures[name].numbers)).toString('base64')}',\n`);
  return `\nexport const builtGuards = {\n${entries.join('')}} as const;\n`;
}

/** The calls that a listener can be asked about: the whole tables would be loaded with every command. */
function renderNumbers(): string {
  const entries = names.map((name) => {
    const { numbers } = architectures[name];
    const known = notifiedNames().flatMap((call) => (numbers[call] === undefined ? [] : [`${call}: ${numbers[call]}`]));
    return `  ${name}: { ${known.join(', ')} },\n`;
  });
  return `\nexport const notifyNumbers = {\n${entries.join('')}} as const;\n`;
}

const names = Object.keys(architectures) as Architecture[];


const heading = `// Written by scripts/build-seccomp.ts from rules/. Do not edit: a test compares this file with the rules.\n\n`;
