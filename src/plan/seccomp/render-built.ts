import { type Architecture, architectures } from './architecture.ts';
import { assemble } from './assemble.ts';
import { buildFilter } from './build.ts';
import { compile } from './compile/compile.ts';
import { filterVariants } from './filter.ts';
import { notifiedNames } from './notify-calls.ts';
import { buildNotifyFilter } from './notify.ts';
import { plainRules } from './rules/plain.ts';

/** The text of `built-filters.ts`. `scripts/build-seccomp.ts` writes it, and a test compares it. */
export function renderBuiltFilters(): string {
  const entries = names.flatMap((architecture) =>
    Object.entries(filterVariants).map(([variant, options]) => {
      const text = Buffer.from(buildFilter({ architecture, ...options })).toString('base64');
      return `  '${architecture}-${variant}':\n    '${text}',\n`;
    }),
  );
  return `${heading}export const builtFilters = {\n${entries.join('')}} as const;\n${renderGuards()}${renderPlain()}${renderNumbers()}`;
}

/** The filter with a listener for new names. */
function renderGuards(): string {
  const entries = names.map((name) => `  ${name}: '${Buffer.from(buildNotifyFilter(['creations'], architectures[name].numbers)).toString('base64')}',\n`);
  return `\nexport const builtGuards = {\n${entries.join('')}} as const;\n`;
}

/** The second list of a box without namespaces. */
function renderPlain(): string {
  const entries = names.flatMap((architecture) =>
    Object.entries(plainRules).map(([network, rules]) => {
      const text = Buffer.from(assemble(compile(rules, architecture))).toString('base64');
      return `  '${architecture}-${network}':\n    '${text}',\n`;
    }),
  );
  return `\nexport const builtPlain = {\n${entries.join('')}} as const;\n`;
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
