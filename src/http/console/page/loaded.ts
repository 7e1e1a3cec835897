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
