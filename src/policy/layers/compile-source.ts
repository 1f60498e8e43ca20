import type { Answer } from '../answer.ts';
import { lazily } from '../lazily.ts';
import { compileExec } from './compile-exec.ts';
import { compileEnv, compileRegistry, compileSignal, compileSocket, compileTool, compileTrust } from './compile-lists.ts';
import { compileFiles } from './compile-files.ts';
import { compileNetwork } from './compile-network.ts';
import { compileAddress } from './compile-address.ts';
import { compileRequestGrants, compileTreatment } from './compile-treatment.ts';
import { commandStatements } from './command-statements.ts';
import { networkFacts } from './network-facts.ts';
import { fileItems } from './file-items.ts';
import { fileStatements, nameStatements } from './file-statements.ts';
import type { Layer } from './layer.ts';
import type { LayerSource } from './source.ts';
import { statementsOf } from './statements.ts';
import { usesOf } from './uses.ts';

/** Compiles what a layer says into lookups, each when it is first needed. `id` has to differ whenever what it says differs. */
export function compileSource(source: LayerSource, id: string): Layer {
  const items = lazily(() => fileItems(source));
  const network = lazily(() => compileNetwork(source));
  return {
    id,
    kind: source.kind,
    file: source.file,
    answers: {
      file: onDemand(() => compileFiles(source, items())),
      exec: onDemand(() => compileExec(source)),
      connect: onDemand(() => network().connect),
      http: onDemand(() => network().http),
      dns: onDemand(() => network().dns),
      socket: onDemand(() => compileSocket(source)),
      signal: onDemand(() => compileSignal(source)),
      env: onDemand(() => compileEnv(source)),
      tool: onDemand(() => compileTool(source)),
      trust: onDemand(() => compileTrust(source)),
      registry: onDemand(() => compileRegistry(source)),
    },
    network: networkOf(source),
    settings: source.settings,
    credentials: source.credentials,
    files: () => fileStatements(source, items().items),
    names: () => nameStatements(source),
    statements: () => statementsOf(source),
    limitsCommands: source.lists['commands.allow'] !== undefined,
    commands: lazily(() => commandStatements(source)),
    uses: () => usesOf(source),
  };
}

function networkOf(source: LayerSource): Layer['network'] {
  const treatment = lazily(() => compileTreatment(source));
  const grantsRequests = lazily(() => compileRequestGrants(source, ['deny']));
  const grantsRequestsUnasked = lazily(() => compileRequestGrants(source, ['deny', 'ask']));
  return {
    address: onDemand(() => compileAddress(source)),
    treatment: (host, port) => treatment()(host, port),
    grantsRequests: (host, port) => grantsRequests()(host, port),
    grantsRequestsUnasked: (host, port) => grantsRequestsUnasked()(host, port),
    facts: lazily(() => networkFacts(source)),
  };
}

function onDemand<Query>(compile: () => (query: Query) => Answer | undefined): (query: Query) => Answer | undefined {
  let compiled: ((query: Query) => Answer | undefined) | undefined;
  return (query) => (compiled ??= compile())(query);
}
