import { translate } from "../element.ts";
import type { Session, View } from "../session.ts";
import { batchTexts } from "../words.ts";
import { firstSheet, readSheets, type Sheet, UnreadableRows } from "./table.ts";
import { Work } from "./work.ts";

/** Takes rows that are pasted, chosen or dropped, and has them checked; a run continues while another view is open. */
export class BatchView implements View {
  readonly needsKey = true;
  readonly #content: readonly Element[];
  readonly #source: HTMLElement;
  readonly #pasted: HTMLTextAreaElement;
  readonly #file: HTMLInputElement;
  readonly #notice: HTMLElement;
  readonly #workPlace: HTMLElement;
  #session!: Session;
  #work: Work | undefined;
  /** Why the last rows could not be read. */
  #fault: UnreadableRows["reason"] | "reading" | "folder" | "several" | undefined;
  #isOpen = false;

  constructor() {
    const template = document.getElementById("batch-view") as HTMLTemplateElement;
    const content = template.content.cloneNode(true) as DocumentFragment;
    const find = <Kind extends HTMLElement>(selector: string) => content.querySelector<Kind>(selector)!;
    this.#content = [...content.children];
    this.#source = find("#batch-source");
    this.#pasted = find("#pasted");
    this.#file = find("#file");
    this.#notice = find(".notice");
    this.#workPlace = find("#batch-work");
    this.#listen();
  }

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    this.#isOpen = true;
    into.replaceChildren(...this.#content);
    this.setLanguage();
    this.#work?.resume();
  }

  close(): void {
    this.#isOpen = false;
  }

  setLanguage(): void {
    const words = batchTexts[this.#session.language];
    translate(this.#source, words);
    this.#showFault();
    this.#work?.setLanguage();
  }

  mayLeave(): boolean {
    if (this.#work?.mayLeave() === false) return false;
    this.#leave();
    return true;
  }

  #listen(): void {
    // A long list would take seconds to be laid out as text, so that it never becomes any.
    this.#pasted.addEventListener("paste", (event) => {
      event.preventDefault();
      void this.#take(undefined, event.clipboardData?.getData("text/plain") ?? "");
    });
    this.#source.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#take(undefined, this.#pasted.value);
    });
    this.#file.addEventListener("change", () => {
      const [file] = this.#file.files ?? [];
      if (file !== undefined) void this.#take(file.name, file);
      this.#file.value = "";
    });
    addEventListener("beforeunload", (event) => {
      if (this.#work?.hasUnsaved === true) event.preventDefault();
    });
    addEventListener("dragover", (event) => {
      if (!this.#isOpen) return;
      event.preventDefault();
      this.#source.classList.add("over");
    });
    addEventListener("dragleave", () => this.#source.classList.remove("over"));
    addEventListener("drop", (event) => {
      if (!this.#isOpen) return;
      event.preventDefault();
      this.#source.classList.remove("over");
      if (event.dataTransfer !== null) void this.#drop(event.dataTransfer);
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
    if (!this.mayLeave()) return;
    this.#fault = "reading";
    this.#showFault();
    let sheets: readonly Sheet[] | undefined;
    try {
      sheets = await readSheets(content);
      this.#fault = undefined;
    } catch (error) {
      this.#fault = error instanceof UnreadableRows ? error.reason : "unreadable";
    }
    this.#showFault();
    if (sheets === undefined) return;
    this.#begin(name, sheets, firstSheet(sheets));
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
    this.#notice.textContent =
      this.#fault === undefined ? "" : batchTexts[this.#session.language][this.#fault];
    this.#notice.classList.toggle("wrong", this.#fault !== undefined && this.#fault !== "reading");
  }
}
