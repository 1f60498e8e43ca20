import { compileEnv, compileExec, compileRegistry, compileSignal, compileSocket, compileTool, compileTrust } from './compile-lists.ts';
import { compileFiles } from './compile-files.ts';
import { compileNetwork } from './compile-network.ts';
import { fileStatements, nameStatements } from './file-statements.ts';
import type { Layer } from './layer.ts';
import type { LayerSource } from './source.ts';
import { statementsOf } from './statements.ts';
import { usesOf } from './uses.ts';

/** Compiles what a layer says into lookups. `id` has to differ whenever what it says differs. */
export function compileSource(source: LayerSource, id: string): Layer {
  return {
    id,
    kind: source.kind,
    file: source.file,
    places: source.places,
    answers: {
      file: compileFiles(source),
      exec: compileExec(source),
      ...compileNetwork(source),
      socket: compileSocket(source),
      signal: compileSignal(source),
      env: compileEnv(source),
      tool: compileTool(source),
      trust: compileTrust(source),
      registry: compileRegistry(source),
    },
    settings: source.settings,
    files: () => fileStatements(source),
    names: () => nameStatements(source),
    statements: () => statementsOf(source),
    uses: () => usesOf(source),
  };
}
