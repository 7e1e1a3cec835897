import { requestCheck, ServiceError } from "./service-call.ts";
import { showVerdict } from "./verdict.ts";
import { type Language, texts } from "./words.ts";

const typingPause = 150;
const retryPause = 1000;
const shortestIban = 15;
const storedKey = "bankcheck-key";

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const keyForm = find<HTMLFormElement>("key-form");
const keyField = find<HTMLInputElement>("key");
const form = find<HTMLFormElement>("check-form");
const input = find<HTMLInputElement>("input");
const blz = find<HTMLInputElement>("blz");
const notice = find("notice");
const verdict = find("verdict");
const languageField = find<HTMLSelectElement>("language");

let language: Language = navigator.language.startsWith("de") ? "de" : "en";
let waiting: ReturnType<typeof setTimeout> | undefined;
let asked = new AbortController();

function say(text: string, isWrong = false): void {
  notice.textContent = text;
  notice.classList.toggle("wrong", isWrong);
}

function askForKey(reason: string, isWrong: boolean): void {
  sessionStorage.removeItem(storedKey);
  keyForm.hidden = false;
  form.hidden = true;
  verdict.replaceChildren();
  say(reason, isWrong);
  keyField.focus();
}

/** What is to be asked about the input, or the hint to give instead. */
function checkOf(text: string): { readonly path: string } | { readonly hint: string } {
  const words = texts[language];
  if (text === "") return { hint: words.empty };
  if (/^\d{1,10}$/.test(text)) {
    const code = blz.value.replace(/\s/g, "");
    return /^\d{8}$/.test(code) ? { path: `/v1/kto/${text}/${code}?explain=1` } : { hint: words.needsBlz };
  }
  if (text.length < shortestIban) return { hint: words.incomplete };
  return { path: `/v1/iban/${encodeURIComponent(text)}?explain=1&sepa=1` };
}

async function check(): Promise<void> {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const text = input.value.replace(/\s/g, "").toUpperCase();
  const wanted = checkOf(text);
  if ("hint" in wanted) {
    verdict.replaceChildren();
    say(wanted.hint);
    return;
  }
  try {
    const answer = await requestCheck(wanted.path, sessionStorage.getItem(storedKey) ?? "", signal);
    if (signal.aborted) return;
    say("");
    showVerdict(verdict, text, answer, language);
  } catch (error) {
    if (signal.aborted) return;
    verdict.replaceChildren();
    if (!(error instanceof ServiceError)) say(texts[language].unreachable, true);
    else if (error.httpStatus === 401) return askForKey(error.message, true);
    else say(error.message, true);
    if (!(error instanceof ServiceError) || error.httpStatus === 503) checkAfter(retryPause);
  }
}

function checkAfter(pause: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(check, pause);
}

function typed(): void {
  const text = input.value.replace(/\s/g, "");
  blz.parentElement!.hidden = !/^\d+$/.test(text);
  // Grouped only while typing at the end: regrouping elsewhere would move the caret.
  if (/^[a-z]{2}/i.test(text) && input.selectionStart === input.value.length) {
    input.value = text
      .toUpperCase()
      .replace(/(.{4})/g, "$1 ")
      .trim();
  }
  asked.abort();
  checkAfter(typingPause);
}

function speak(): void {
  document.documentElement.lang = language;
  languageField.value = language;
  for (const labelled of document.querySelectorAll<HTMLElement>("[data-text]")) {
    labelled.textContent = texts[language][labelled.dataset["text"] as keyof (typeof texts)["en"]];
  }
}

function begin(): void {
  keyForm.hidden = true;
  form.hidden = false;
  input.focus();
  void check();
}

keyForm.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(storedKey, keyField.value.trim());
  keyField.value = "";
  begin();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  checkAfter(0);
});
form.addEventListener("input", typed);
languageField.addEventListener("change", () => {
  language = languageField.value as Language;
  speak();
  if (form.hidden) say(texts[language].keyHint);
  else void check();
});

speak();
if (sessionStorage.getItem(storedKey) === null) askForKey(texts[language].keyHint, false);
else begin();
