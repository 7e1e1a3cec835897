/** The used part of the JavaScript interface of WebAssembly; TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  /** Compiled code, to be instantiated in any thread. */
  class Module {
    constructor(bytes: Uint8Array);
  }

  class Memory {
    /** Sizes are in pages of 65,536 bytes. */
    constructor(descriptor: { readonly initial: number; readonly maximum: number; readonly shared: true });
    readonly buffer: SharedArrayBuffer;
  }

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, object>>);
    readonly exports: object;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
