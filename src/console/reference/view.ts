import { element } from "../element.ts";
import type { Session, View } from "../session.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./document.ts";
import { prose } from "./fields.ts";
import { anchorOf, operationView } from "./operation-view.ts";
import { referenceWords } from "./words.ts";

const documentFile = "/service/console/openapi.json";

/** The interface of the service, from its OpenAPI document: readable without a key, to try with one. */
export class ReferenceView implements View {
  readonly needsKey = false;
  #session!: Session;
  #into!: HTMLElement;
  #document: OpenApiDocument | undefined;
  #isOpen = false;

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    this.#into = into;
    this.#isOpen = true;
    addEventListener("hashchange", this.#scrollToAddressed);
    void this.#show();
  }

  close(): void {
    this.#isOpen = false;
    removeEventListener("hashchange", this.#scrollToAddressed);
  }

  setLanguage(): void {
    void this.#show();
  }

  async #show(): Promise<void> {
    const words = referenceWords[this.#session.language];
    if (this.#document === undefined) {
      this.#into.replaceChildren(element("p", "notice", words.loading));
      try {
        const answer = await fetch(documentFile);
        this.#document = (await answer.json()) as OpenApiDocument;
      } catch {
        this.#into.replaceChildren(element("p", "notice wrong", words.failed));
        return;
      }
    }
    if (!this.#isOpen) return;
    this.#into.replaceChildren(this.#page(this.#document));
    this.#scrollToAddressed();
  }

  #page(document: OpenApiDocument): HTMLElement {
    const words = referenceWords[this.#session.language];
    const operations = operationsOf(document);
    const shown = operations.map((operation) => ({
      operation,
      link: link(operation),
      view: operationView(document, operation, this.#session),
    }));
    const search = element("input", "") as HTMLInputElement;
    search.type = "search";
    search.placeholder = search.ariaLabel = words.search;
    const nothing = element("p", "notice", words.nothing);
    nothing.hidden = true;
    search.addEventListener("input", () => {
      for (const { operation, link, view } of shown) {
        link.hidden = view.hidden = !matches(operation, search.value);
      }
      nothing.hidden = shown.some(({ view }) => !view.hidden);
    });
    const list = element("nav", "contents", search, nothing);
    list.ariaLabel = words.search;
    const body = element("div", "operations", element("div", "text", ...prose(document.info.description)));
    // The texts of the interface are English, whatever the language of the console.
    body.lang = "en";
    for (const { name, description } of document.tags) {
      const tagged = shown.filter(({ operation }) => operation.tags[0] === name);
      list.append(element("h2", "", name), ...tagged.map(({ link }) => link));
      body.append(element("h2", "", name), element("p", "", description), ...tagged.map(({ view }) => view));
    }
    const source = element("a", "", words.openapi) as HTMLAnchorElement;
    source.href = documentFile;
    list.append(source);
    return element("div", "reference", list, body);
  }

  readonly #scrollToAddressed = () => {
    const anchor = location.hash.slice(1);
    if (anchor.includes("/")) document.getElementById(anchor)?.scrollIntoView();
  };
}

function link(operation: Operation): HTMLElement {
  const made = element(
    "a",
    "entry",
    element("span", "method", operation.method),
    element("span", "", operation.summary),
  ) as HTMLAnchorElement;
  made.href = `#${anchorOf(operation)}`;
  return made;
}

function matches({ method, path, summary, operationId }: Operation, wanted: string): boolean {
  const text = `${method} ${path} ${summary} ${operationId}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
