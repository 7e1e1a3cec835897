import { element, icon, labelled, Notice, translate, worded } from "../element.ts";
import type { Session, View } from "../session.ts";
import { batchTexts as words } from "../words.ts";
import { readSheets } from "./sheets.ts";
import { rest } from "./slices.ts";
import { UnreadableRows } from "./unreadable-rows.ts";
import { openWork, type Work } from "./work.ts";

/** How the reading of rows goes, or why they could not be read. */
type Said = UnreadableRows["reason"] | "unreadable" | "reading" | "folder" | "several";

/** Takes rows that are pasted, chosen or dropped, and has them checked; a run continues while another view is open. */
export class BatchView implements View {
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #pasted = element("textarea", {
    id: "pasted",
    rows: 5,
    spellcheck: false,
    autocapitalize: "characters",
  });
  readonly #file = element("input", {
    id: "file",
    type: "file",
    accept: ".csv,.txt,.tsv,.xlsx,.json,.ndjson,.xml,.sta,.mt940,text/csv,text/plain",
  });
  readonly #source: HTMLElement;
  readonly #notice = new Notice();
  readonly #workPlace = element("section", { id: "batch-work", className: "stack", hidden: true });
  #work: Work | undefined;
  /** What was pasted, chosen or dropped last: a file that is read meanwhile no longer matters. */
  #taken: File | string | undefined;
  #said: Said | undefined;

  constructor(session: Session) {
    this.#session = session;
    const file = element("span", "", icon("drop"), " ", worded("choose"));
    this.#source = element(
      "form",
      { id: "batch-source", className: "stack", autocomplete: "off" },
      labelled(worded("paste"), this.#pasted),
      element(
        "div",
        "bar choices",
        element("button", "quiet", worded("take")),
        labelled(file, this.#file, "file"),
      ),
      element("p", "", worded("drop")),
    );
    this.content = [this.#source, this.#notice.element, this.#workPlace];
    this.#listen();
  }

  open(): void {
    this.#work?.resume();
  }

  show(): void {
    translate(this.#source, words);
    this.#say(this.#said);
    this.#work?.show();
  }

  mayLeave(): boolean {
    if (this.#work?.mayLeave() === false) return false;
    this.#leave();
    return true;
  }

  #listen(): void {
    // One line may be followed by others; a long list would take seconds to be laid out as text, so that it never becomes any.
    this.#pasted.onpaste = (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const { value, selectionStart, selectionEnd } = this.#pasted;
      if (/^[^\r\n]{1,1000}[\r\n]*$/.test(text)) return;
      event.preventDefault();
      if (text === "") this.#drop(event.clipboardData!);
      else void this.#take(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    };
    this.#source.onsubmit = (event) => {
      event.preventDefault();
      void this.#take(this.#pasted.value);
    };
    this.#file.onchange = () => {
      const [file] = this.#file.files ?? [];
      if (file !== undefined) void this.#take(file);
      this.#file.value = "";
    };
    addEventListener("beforeprint", () => this.#work?.print());
    addEventListener("afterprint", () => this.#work?.resume());
    addEventListener("beforeunload", (event) => {
      if ((this.#work?.unsaved() ?? 0) > 0) event.preventDefault();
    });
    // A file that is dropped on another view, or beside the form, would replace the page.
    for (const type of ["dragover", "drop"] as const)
      addEventListener(type, (event) => {
        const { dataTransfer } = event;
        if (dataTransfer?.types.includes("Files") !== true) return;
        event.preventDefault();
        this.#source.classList.toggle("over", type === "dragover");
        if (type === "dragover") return;
        location.hash = "batch";
        this.#drop(dataTransfer);
      });
    addEventListener("dragleave", () => this.#source.classList.remove("over"));
  }

  #drop({ items, files }: DataTransfer): void {
    const [file] = files;
    const isFolder = [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
    if (file === undefined) return;
    if (isFolder || files.length > 1) this.#say(isFolder ? "folder" : "several");
    else void this.#take(file);
  }

  async #take(content: File | string): Promise<void> {
    if (this.#work?.mayLeave() === false) return;
    this.#taken = content;
    this.#say("reading");
    const read = await readSheets(content).catch((error: unknown) =>
      error instanceof UnreadableRows ? error.reason : "unreadable",
    );
    await rest();
    if (this.#taken !== content) return;
    this.#say(typeof read === "string" ? read : undefined);
    if (typeof read === "string") return;
    this.#leave();
    this.#source.hidden = true;
    this.#workPlace.hidden = false;
    const name = typeof content === "string" ? undefined : content.name;
    this.#work = openWork(this.#workPlace, this.#session, name, read, () => {
      if (this.mayLeave()) this.#pasted.focus();
    });
  }

  #leave(): void {
    this.#work?.close();
    this.#work = undefined;
    this.#source.hidden = false;
    this.#workPlace.hidden = true;
    this.#pasted.value = "";
  }

  #say(said?: Said): void {
    this.#said = said;
    this.#notice.say(said === undefined ? "" : words[said], said !== undefined && said !== "reading");
  }
}
