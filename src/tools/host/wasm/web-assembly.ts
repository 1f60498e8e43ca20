/**
 * The part of WebAssembly's JavaScript interface that Holdfast uses. Node provides it, but the type libraries declare
 * it only together with a browser's interface.
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
