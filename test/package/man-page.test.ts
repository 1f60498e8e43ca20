import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type DescribedCommand, loadCommands } from '../../scripts/load-commands.ts';
import { manPage } from '../../scripts/man/man-page.ts';

const commands = await loadCommands();
const page = manPage(commands, '1.2.3');

function render(text: string): { readonly shown: string; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('man', ['--warnings=all', '-E', 'UTF-8', '-l', '-'], {
    input: text,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '250', MAN_KEEP_FORMATTING: '', LC_ALL: 'C.UTF-8' },
  });
  return { shown: status === 0 ? withoutOverstrikes(stdout) : '', said: stderr };
}

const without = (program: string): boolean => spawnSync(program, ['--help']).error !== undefined;

describe.skipIf(without('man'))('man', () => {
  const { shown, said } = render(page);

  test('gives no warning', () => {
    expect(said).toBe('');
  });

  test.each(commands.map(({ name, usage }) => [name, usage] as const))('shows every line of %s', (_name, usage) => {
    const lines = new Set(shown.split('\n').map((line) => line.trim()));
    expect(
      usage
        .split('\n')
        .map((line) => line.trim().replaceAll('…', '...'))
        .filter((line) => !lines.has(line)),
    ).toEqual([]);
  });

  test('shows a text that looks like roff unchanged', () => {
    const odd: DescribedCommand = {
      name: 'odd',
      summary: 'it',
      usage: 'usage: holdfast odd\n.SH NOT\n\'br\n\\fBx\\n[a] "q" `~^ -- ⟦x⟧',
      options: {},
      positionals: 'none',
      run: async () => 0,
    };
    const { shown: text, said: warnings } = render(manPage([odd], '1'));
    expect(warnings).toBe('');
    for (const line of ['.SH NOT', "'br", '\\fBx\\n[a] "q" `~^ -- ⟦x⟧'])
      expect(text.split('\n').map((each) => each.trim())).toContain(line);
  });
});

test.skipIf(without('mandoc'))('mandoc finds no error', () => {
  const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error'], { input: page, encoding: 'utf8' });
  expect(stdout).toBe('');
});

/** Overstruck characters, which a printer shows in bold. */
function withoutOverstrikes(text: string): string {
  return text
    .split('\b')
    .map((part, index, parts) => (index === parts.length - 1 ? part : part.slice(0, -1)))
    .join('');
}
