/** The used part of the JavaScript interface of WebAssembly; TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  /** Compiled code, to be instantiated in any thread. */
  class Module {
    constructor(bytes: Uint8Array);
  }

  interface MemoryDescriptor {
    /** Sizes in pages of 65,536 bytes. */
    readonly initial: number;
    readonly maximum?: number;
    readonly shared?: boolean;
  }

  class Memory {
    constructor(descriptor: MemoryDescriptor);
    readonly buffer: SharedArrayBuffer;
  }

  interface Global {
    readonly value: number;
  }

  type Imports = Readonly<
    Record<string, Readonly<Record<string, Memory | ((...words: number[]) => number)>>>
  >;

  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
