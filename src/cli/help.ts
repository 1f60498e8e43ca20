import { type CommandRow, commandSections, type CommandSection } from '../policy/features/feature.ts';
import { commandTable } from './table.ts';

/** Everyday commands, in the order in which a day needs them. */
const everyDay: readonly string[] = ['setup', 'run', 'review', 'accept', 'why', 'approvals', 'policy', 'doctor'];

const titles: Readonly<Record<CommandSection, string>> = {
  run: 'run',
  review: 'review',
  policy: 'policy',
  keys: 'keys',
  record: 'record',
  agents: 'agents',
  machine: 'this machine',
};

/** `holdfast help`: the everyday commands, and the names of the others. Fits on a small terminal. */
export function shortHelp(rows: readonly CommandRow[] = commandTable): string {
  const daily = everyDay.flatMap((name) => rows.filter((row) => row.name === name));
  const others = sectionsOf(rows.filter(({ name }) => !everyDay.includes(name)));
  return [
    'usage: holdfast COMMAND [OPTIONS]',
    '       holdfast                   show the state of this directory',
    '',
    ...daily.map(rowLine),
    '',
    'More commands:',
    ...others.map(({ title, of }) => `  ${title.padEnd(14)}${of.map(({ name }) => name).join(' ')}`),
    '',
    'holdfast help all      describe every command in one line',
    'holdfast help COMMAND  describe one command in full',
    '',
  ].join('\n');
}

/** `holdfast help all`: every command by purpose, with one line each. */
export function fullHelp(rows: readonly CommandRow[] = commandTable): string {
  const sections = sectionsOf(rows).map(({ title, of }) => `\n${title}\n${of.map(rowLine).join('\n')}\n`);
  return `usage: holdfast COMMAND [OPTIONS]\n${sections.join('')}\nholdfast help COMMAND  describe one command in full\n`;
}

interface HelpSection {
  readonly title: string;
  readonly of: readonly CommandRow[];
}

function sectionsOf(rows: readonly CommandRow[]): readonly HelpSection[] {
  return commandSections
    .map((section) => ({
      title: titles[section],
      of: rows.filter((row) => row.section === section).toSorted(dailyFirst),
    }))
    .filter(({ of }) => of.length > 0);
}

function dailyFirst(one: CommandRow, other: CommandRow): number {
  return Number(everyDay.includes(other.name)) - Number(everyDay.includes(one.name));
}

function rowLine({ name, summary }: CommandRow): string {
  return `  ${name.padEnd(14)}${summary}`;
}
