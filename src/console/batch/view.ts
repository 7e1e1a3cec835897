import { element, icon, labelled, Notice, translate, worded } from "../element.ts";
import type { Session, View } from "../session.ts";
import { batchTexts } from "../words.ts";
import { firstSheet, type Sheet } from "./columns.ts";
import { readSheets } from "./sheets.ts";
import { rest } from "./slices.ts";
import { UnreadableRows } from "./unreadable-rows.ts";
import { Work } from "./work.ts";

/** Takes rows that are pasted, chosen or dropped, and has them checked; a run continues while another view is open. */
export class BatchView implements View {
  readonly needsKey = true;
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
  /** Why the last rows could not be read. */
  #fault: UnreadableRows["reason"] | "reading" | "folder" | "several" | undefined;

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
    translate(this.#source, batchTexts);
    this.#showFault();
    this.#work?.setLanguage();
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
      else void this.#take(undefined, value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    };
    this.#source.onsubmit = (event) => {
      event.preventDefault();
      void this.#take(undefined, this.#pasted.value);
    };
    this.#file.onchange = () => {
      const [file] = this.#file.files ?? [];
      if (file !== undefined) void this.#take(file.name, file);
      this.#file.value = "";
    };
    addEventListener("beforeprint", () => this.#work?.print());
    addEventListener("afterprint", () => this.#work?.resume());
    addEventListener("beforeunload", (event) => {
      if (this.#work?.hasUnsaved === true) event.preventDefault();
    });
    // A file that is dropped on another view, or beside the form, would replace the page.
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
    addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#source.classList.add("over");
    });
    addEventListener("dragleave", () => this.#source.classList.remove("over"));
    addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#source.classList.remove("over");
      location.hash = "batch";
      this.#drop(event.dataTransfer!);
    });
  }

  #drop({ items, files }: DataTransfer): void {
    const [file] = files;
    const isFolder = [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
    if (file === undefined) return;
    if (isFolder || files.length > 1) {
      this.#fault = isFolder ? "folder" : "several";
      this.#showFault();
    } else void this.#take(file.name, file);
  }

  async #take(name: string | undefined, content: File | string): Promise<void> {
    if (this.#work?.mayLeave() === false) return;
    this.#taken = content;
    this.#fault = "reading";
    this.#showFault();
    const read = await readSheets(content).catch((error: unknown) =>
      error instanceof UnreadableRows ? error.reason : "unreadable",
    );
    await rest();
    if (this.#taken !== content) return;
    this.#fault = typeof read === "string" ? read : undefined;
    this.#showFault();
    if (typeof read !== "string") this.#begin(name, read, firstSheet(read));
  }

  #begin(name: string | undefined, sheets: readonly Sheet[], chosen: Sheet): void {
    this.#leave();
    this.#work = new Work(this.#workPlace, this.#session, { name, sheets, chosen }, (other) => {
      if (other !== undefined) this.#begin(name, sheets, other);
      else {
        this.#leave();
        this.#pasted.focus();
      }
    });
    this.#source.hidden = true;
    this.#workPlace.hidden = false;
    this.#work.focus();
  }

  #leave(): void {
    this.#work?.close();
    this.#work = undefined;
    this.#source.hidden = false;
    this.#workPlace.hidden = true;
    this.#pasted.value = "";
  }

  #showFault(): void {
    const fault = this.#fault;
    const text = fault === undefined ? "" : batchTexts[fault];
    this.#notice.say(text, fault !== undefined && fault !== "reading");
  }
}
