import { chooseBackend, demandOf, type Choice } from '../backends/lattice/index.ts';
import { everyBox } from '../plan/index.ts';
import { examineBackends, type BackendReport } from '../sandbox/doctor/examine.ts';
import { isBroken } from '../sandbox/doctor/prove.ts';
import { backendsPage, type Page } from './backends-page.ts';
import { coloursOf } from './colours.ts';
import { isSet, type Command } from './command.ts';
import { escapesTried } from './escapes-tried.ts';
import { jsonText } from './json-text.ts';

const usage = `usage: holdfast backends [--prove] [--json]

Shows every backend: whether it is here and works, what it holds of each guarantee, and which one \`auto\` takes for the default
policy. Starts a few boxes per backend to find out. With --prove the escape attempts of \`holdfast doctor --prove\` run in throw-away
boxes of every backend that works, and each guarantee gets how many of them it held. Exits with 0 when \`auto\` has one to take (and,
with --prove, no attempt escaped what is held in the kernel), with 1 otherwise.`;

export const backendsCommand: Command = {
  name: 'backends',
  summary: 'show what each backend holds on this machine',
  usage,
  options: { prove: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    const { values, io } = input;
    const backends = await examineBackends(io.environment);
    const working = backends.filter(({ start }) => start.kind === 'works').map(({ name }) => name);
    const proofs = await escapesTried(input, working);
    const page: Page = { backends, auto: automatic(backends), proofs };
    io.stdout.write(isSet(values['json']) ? jsonText({ ...page, generated }) : backendsPage(page, generated, coloursOf(io)));
    return page.auto.kind === 'chosen' && !proofs.some(isBroken) ? 0 : 1;
  },
};

/** What is rendered for machines that this project has none of. */
const generated: Readonly<Record<string, string>> = {
  seatbelt: 'generated, not run: `holdfast plan --backend seatbelt` prints what a Mac would get',
  windows: 'generated, not run: see docs/platforms.md',
  lima: 'generated, not run: hands the run over to the Holdfast in the guest',
  wsl2: 'generated, not run: hands the run over to the Holdfast in the guest',
};

/** The choice for the default policy, by what was tried. */
function automatic(backends: readonly BackendReport[]): Choice {
  const candidates = backends.map(({ name, guarantees, start }) => ({ name, vector: guarantees, ...(start.kind === 'works' ? {} : { trouble: start.reason }) }));
  return chooseBackend(candidates, demandOf({ requires: [...everyBox, 'net.closed'] }));
}
