import { BatchView } from "./batch/view.ts";
import { CheckView } from "./check/view.ts";
import { PoolView } from "./pool/view.ts";
import { Session } from "./session.ts";
import { pageTabs } from "./tabs.ts";
import { translate } from "./translate.ts";
import type { View } from "./view.ts";
import { type Language, texts } from "./words.ts";

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const keyForm = find<HTMLFormElement>("key-form");
const keyField = find<HTMLInputElement>("key");
const notice = find("notice");
const tabs = find("tabs");
const panel = find("view");
const languageField = find<HTMLSelectElement>("language");

const views: Readonly<Record<string, View>> = {
  check: new CheckView(),
  batch: new BatchView(),
  pool: new PoolView(),
};
let open: View | undefined;

const session = new Session(navigator.language.startsWith("de") ? "de" : "en", (reason) => {
  askForKey();
  notice.textContent = reason;
  notice.classList.add("wrong");
});

const openAddressed = pageTabs(tabs, panel, (id) => {
  if (!session.hasKey || open === views[id]) return;
  open?.close();
  open = views[id];
  open?.open(panel, session);
});

function askForKey(): void {
  open?.close();
  open = undefined;
  keyForm.hidden = false;
  tabs.hidden = panel.hidden = true;
  notice.textContent = texts[session.language].keyHint;
  notice.classList.remove("wrong");
  keyField.focus();
}

function begin(): void {
  keyForm.hidden = true;
  tabs.hidden = panel.hidden = false;
  notice.textContent = "";
  openAddressed();
  panel.querySelector("input")?.focus();
}

function speak(): void {
  const words = texts[session.language];
  document.documentElement.lang = session.language;
  languageField.value = session.language;
  translate(document, words);
  tabs.ariaLabel = words.views;
  if (open === undefined && !notice.classList.contains("wrong")) notice.textContent = words.keyHint;
  open?.speak();
}

keyForm.addEventListener("submit", (event) => {
  event.preventDefault();
  session.keep(keyField.value.trim());
  keyField.value = "";
  begin();
});
languageField.addEventListener("change", () => {
  session.language = languageField.value as Language;
  speak();
});
addEventListener("hashchange", openAddressed);

speak();
if (session.hasKey) begin();
else askForKey();
