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
export function batchView(session: Session): View {
  const pasted = element("textarea", {
    id: "pasted",
    rows: 5,
    spellcheck: false,
    autocapitalize: "characters",
  });
  const chosen = element("input", {
    id: "file",
    type: "file",
    accept: ".csv,.txt,.tsv,.xlsx,.json,.ndjson,.xml,.sta,.mt940,text/csv,text/plain",
  });
  const choose = element("span", "", icon("drop"), " ", worded("choose"));
  const source = element(
    "form",
    { id: "batch-source", className: "stack", autocomplete: "off" },
    labelled(worded("paste"), pasted),
    element(
      "div",
      "bar choices",
      element("button", "quiet", worded("take")),
      labelled(choose, chosen, "file"),
    ),
    element("p", "", worded("drop")),
  );
  const notice = new Notice();
  const workPlace = element("section", { id: "batch-work", className: "stack", hidden: true });
  let work: Work | undefined;
  /** What was pasted, chosen or dropped last: a file that is read meanwhile no longer matters. */
  let taken: File | string | undefined;
  let said: Said | undefined;

  // One line may be followed by others; a long list would take seconds to be laid out as text, so that it never becomes any.
  pasted.onpaste = (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { value, selectionStart, selectionEnd } = pasted;
    if (/^[^\r\n]{1,1000}[\r\n]*$/.test(text)) return;
    event.preventDefault();
    if (text === "") drop(event.clipboardData!);
    else void take(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
  };
  source.onsubmit = (event) => {
    event.preventDefault();
    void take(pasted.value);
  };
  chosen.onchange = () => {
    const [file] = chosen.files ?? [];
    if (file !== undefined) void take(file);
    chosen.value = "";
  };
  addEventListener("beforeprint", () => work?.print());
  addEventListener("afterprint", () => work?.resume());
  addEventListener("beforeunload", (event) => {
    if ((work?.unsaved() ?? 0) > 0) event.preventDefault();
  });
  // A file that is dropped on another view, or beside the form, would replace the page.
  for (const type of ["dragover", "drop"] as const)
    addEventListener(type, (event) => {
      const { dataTransfer } = event;
      if (dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      source.classList.toggle("over", type === "dragover");
      if (type === "dragover") return;
      location.hash = "batch";
      drop(dataTransfer);
    });
  addEventListener("dragleave", () => source.classList.remove("over"));

  function drop({ items, files }: DataTransfer): void {
    const [file] = files;
    const isFolder = [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
    if (file === undefined) return;
    if (isFolder || files.length > 1) say(isFolder ? "folder" : "several");
    else void take(file);
  }

  async function take(content: File | string): Promise<void> {
    if (work?.mayLeave() === false) return;
    taken = content;
    say("reading");
    const read = await readSheets(content).catch((error: unknown) =>
      error instanceof UnreadableRows ? error.reason : "unreadable",
    );
    await rest();
    if (taken !== content) return;
    say(typeof read === "string" ? read : undefined);
    if (typeof read === "string") return;
    leave();
    source.hidden = true;
    workPlace.hidden = false;
    const name = typeof content === "string" ? undefined : content.name;
    work = openWork(workPlace, session, name, read, () => {
      if (mayLeave()) pasted.focus();
    });
  }

  function leave(): void {
    work?.close();
    work = undefined;
    source.hidden = false;
    workPlace.hidden = true;
    pasted.value = "";
  }

  function mayLeave(): boolean {
    if (work?.mayLeave() === false) return false;
    leave();
    return true;
  }

  function say(text?: Said): void {
    said = text;
    notice.say(text === undefined ? "" : words[text], text !== undefined && text !== "reading");
  }

  return {
    content: [source, notice.element, workPlace],
    open: () => work?.resume(),
    show() {
      translate(source, words);
      say(said);
      work?.show();
    },
    mayLeave,
  };
}
