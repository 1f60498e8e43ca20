import { policyOfPlace } from '../../place/planner.ts';
import { backendOf } from '../../policy/backend-wish.ts';
import type { Statement } from '../../policy/layers/layer.ts';
import { limitKey, limitNames } from '../../policy/layers/limit-names.ts';
import { limitText } from '../../policy/layers/statements.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Limits, limitsOf } from '../../policy/settings/limits.ts';
import { networkPlan, type NetworkDemand, type OpenDemand } from '../../policy/settings/network-plan.ts';
import { processSettings } from '../../policy/settings/switches.ts';
import { requirementsOf } from '../../policy/settings/requirements.ts';
import { type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { modelLines, commandPlace } from './explain.ts';
import { originPlace } from '../../policy/origin.ts';

/** Beyond this number, the built-in lines of a subject are only counted. */
const mostBuiltin = 10;

/** `holdfast policy show`: rules and settings in force, with their places. */
export function showPolicy(input: CommandInput): number {
  const place = commandPlace(input);
  const policy = policyOfPlace(place);
  const shown = {
    workspace: place.workspace.root,
    layers: layersOf(policy),
    statements: statementsOf(policy),
    effective: effectiveOf(policy, place.memory),
  };
  const built = isSet(input.values['all']) ? 'listed' : 'counted';
  input.io.stdout.write(isSet(input.values['json']) ? jsonText(shown) : safeText(describe(shown, built)));
  return 0;
}

interface Shown {
  readonly workspace: string;
  readonly layers: readonly { readonly kind: string; readonly file: string }[];
  readonly statements: readonly Statement[];
  readonly effective: Effective;
}

/** The combined settings of all layers. */
interface Effective {
  readonly limits: Limits;
  readonly ptrace: string;
  readonly backend: string;
  readonly requires: readonly string[];
  readonly network: NetworkDemand;
  readonly models: Readonly<Record<string, string>>;
}

function layersOf({ layers }: Policy): Shown['layers'] {
  return layers.map(({ kind, file }) => ({ kind, file }));
}

/** Sorted by subject. Within a subject, the user's rules come before built-in ones. */
function statementsOf({ layers }: Policy): readonly Statement[] {
  const all = layers.flatMap((layer) => layer.statements());
  const subjects = [...new Set(all.map(({ subject }) => subject))];
  return subjects.flatMap((subject) =>
    all
      .filter((statement) => statement.subject === subject)
      .toSorted((a, b) => Number(isBuiltin(a)) - Number(isBuiltin(b))),
  );
}

function isBuiltin({ origin }: Statement): boolean {
  return origin.line === 0;
}

function effectiveOf(policy: Policy, memory: number): Effective {
  return {
    limits: limitsOf(policy, { memory }),
    ptrace: processSettings(policy).ptrace,
    backend: backendOf(policy),
    requires: requirementsOf(policy),
    network: networkPlan(policy),
    models: Object.fromEntries(modelLines(policy)),
  };
}

function describe({ workspace, layers, statements, effective }: Shown, built: 'listed' | 'counted'): string {
  const subjects = [...new Set(statements.map(({ subject }) => subject))];
  const sections = subjects.map(
    (subject) =>
      `${subject}\n${linesOf(
        statements.filter((statement) => statement.subject === subject),
        built,
      )}`,
  );
  const head = `workspace ${workspace}\nlayers\n${layers.map(({ kind, file }) => `  ${kind.padEnd(9)}${file}\n`).join('')}`;
  return [head, ...sections, effectiveText(effective)].join('\n');
}

function linesOf(statements: readonly Statement[], built: 'listed' | 'counted'): string {
  const own = statements.filter((statement) => !isFromTable(statement));
  const count = statements.length - own.length;
  if (built === 'listed' || count <= mostBuiltin) return statements.map(statementLine).join('');
  return `${own.map(statementLine).join('')}  ${own.length === 0 ? '' : 'and '}${count} built-in: holdfast policy show --all\n`;
}

/** Lines of the strict policy have no line number either, but the user chose them. */
function isFromTable({ origin }: Statement): boolean {
  return origin.file === 'built-in';
}

function statementLine({ value, origin, reason }: Statement): string {
  const name = origin.rule.includes('[') || origin.line === 0 ? '' : ` ${origin.rule}`;
  return `  ${value.padEnd(44)}  ${origin.layer}${name}, ${originPlace(origin)}${reason === undefined ? '' : ` — ${reason}`}\n`;
}

function effectiveText({ limits, ptrace, backend, requires, network, models }: Effective): string {
  const bounds = limitNames.flatMap((name) => {
    const value = limits[name];
    return value === undefined ? [] : [`  ${limitKey(name).padEnd(12)}${limitText(name, value)}\n`];
  });
  return `in force\n${bounds.join('')}  ${'ptrace'.padEnd(12)}${ptrace}\n  ${'backend'.padEnd(12)}${backend}\n  ${'requires'.padEnd(12)}${requires.join(' ')}\n${[...networkLines(network), ...Object.entries(models)].map(([name, value]) => `  ${name.padEnd(12)}${value}\n`).join('')}`;
}

/** Returns a box's network settings, as pairs of a word and its value. Empty ones have no line. */
export function networkLines(plan: NetworkDemand): readonly (readonly [string, string])[] {
  if (plan.kind === 'closed') return [['network', 'closed']];
  const lines: readonly (readonly [string, string])[] = [
    ['ports', portsText(plan.ports)],
    ['loopback', plan.loopbackPorts.map((port) => `localhost:${port}`).join(' ')],
    ['forward', plan.forward.map(({ host, box }) => `localhost:${host} shows port ${box} of the box`).join(', ')],
    ['dns', plan.dns === 'fake' ? 'names have made-up addresses' : 'names have their real addresses'],
    ['tls', plan.interception === 'possible' ? 'ended where requests are looked into' : 'never ended'],
    ['passthrough', plan.passthrough.join(' ')],
    ['ca', plan.authorities.join(' ')],
  ];
  return [['network', 'open to granted hosts'], ...lines.filter(([, value]) => value !== '')];
}

function portsText(ports: OpenDemand['ports']): string {
  if (ports === 'every') return 'every port';
  return ports.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(' ');
}
