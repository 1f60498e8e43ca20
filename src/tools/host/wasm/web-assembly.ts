/**
 * The used part of WebAssembly's JavaScript interface. Node has it, but the type libraries have it only with a
 * browser's.
 */
export interface WasmModule {
  readonly [brand]: 'module';
}

declare const brand: unique symbol;

export interface WasmEntry {
  readonly module: string;
  readonly name: string;
  readonly kind: string;
}

interface Api {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly WasmEntry[];
    exports(module: WasmModule): readonly Omit<WasmEntry, 'module'>[];
  };
  readonly Instance: new (
    module: WasmModule,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => object;
  readonly LinkError: new () => Error;
}

export const webAssembly: Api = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;
