/** Has the browser load a style sheet or a script, and resolves once it is there. */
export function loaded(file: HTMLLinkElement | HTMLScriptElement): Promise<void> {
  return new Promise((resolve, reject) => {
    file.addEventListener("load", () => resolve());
    file.addEventListener("error", () => {
      file.remove();
      reject(new Error("a file of the page cannot be loaded"));
    });
    document.head.append(file);
  });
}

/** Makes what loads something when it is first asked for; where that fails the next call tries again. */
export function onFirstUse<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
