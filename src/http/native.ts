/** A request of uWebSockets.js; dies when the handler returns. */
export interface NativeRequest {
  getUrl(): string;
  getMethod(): string;
  getQuery(): string | undefined;
  /** Has the next handler take the request. */
  setYield(yields: boolean): void;
  forEach(visit: (lowerCaseName: string, value: string) => void): void;
}

/** A response of uWebSockets.js; dies when it is answered or aborted. */
export interface NativeResponse {
  writeStatus(status: string | Uint8Array): NativeResponse;
  writeHeader(name: string, value: string | Uint8Array): NativeResponse;
  end(body?: string | Uint8Array, closeConnection?: boolean): NativeResponse;
  /** Sends what the socket takes of a body of `total` bytes: whether all of that was taken, and whether it is the end. */
  tryEnd(body: Uint8Array, total: number): readonly [boolean, boolean];
  /** Calls back when the socket takes more, with the offset in the body from which on; return whether all was taken. */
  onWritable(handler: (offset: number) => boolean): NativeResponse;
  /** Offset in the body up to which it was taken. */
  getWriteOffset(): number;
  cork(write: () => void): NativeResponse;
  onAborted(handler: () => void): NativeResponse;
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): NativeResponse;
  /** Sends a piece of a chunked body; false if the socket did not take all of it, the rest of which is kept. */
  write(piece: Uint8Array): boolean;
  /** Takes nothing more from the socket. Ends the watch over the time since something came. */
  pause(): void;
  /** Takes from the socket again, and restarts the watch over time: 8 to 12 seconds for the next 160 KB. */
  resume(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  close(): NativeResponse;
}

/** Handles a request; its arguments must not be used as requests of their own once it has returned. */
export type NativeHandler = (response: NativeResponse, request: NativeRequest) => void;

export type ListenSocket = { readonly listenSocket: unique symbol };

export interface NativeApp {
  get(pattern: string, handler: NativeHandler): NativeApp;
  post(pattern: string, handler: NativeHandler): NativeApp;
  /** For every method without a handler. */
  any(pattern: string, handler: NativeHandler): NativeApp;
  /** Calls back with 1 for each connection that opens and −1 for each that closes. */
  filter(handler: (response: NativeResponse, change: 1 | -1) => void): NativeApp;
  listen(
    host: string,
    port: number,
    options: number,
    done: (socket: ListenSocket | false) => void,
  ): NativeApp;
  /** What another application of the same kind hands its connections to. */
  getDescriptor(): number;
  /** Hands new connections to another application, or to several in turn, instead of taking them. */
  addChildAppDescriptor(descriptor: number): NativeApp;
  removeChildAppDescriptor(descriptor: number): NativeApp;
  close(): NativeApp;
}

/** The native module of uWebSockets.js, as far as it is used here. */
export interface NativeModule {
  App(): NativeApp;
  SSLApp(options: {
    readonly cert_file_name: string;
    readonly key_file_name: string;
    /** Suites of TLS 1.2 in OpenSSL's notation; those of TLS 1.3 are fixed. */
    readonly ssl_ciphers: string;
  }): NativeApp;
  us_listen_socket_close(socket: ListenSocket): void;
  us_socket_local_port(socket: ListenSocket): number;
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  /** Internal switch of the binary; see `binding.ts` for the one that is used. */
  _cfg(key: string): void;
}
