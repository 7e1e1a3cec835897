import { banksView } from "./banks/view.ts";
import { batchView } from "./batch/view.ts";
import { CheckView } from "./check/view.ts";
import { translate } from "./element.ts";
import { poolView } from "./pool/view.ts";
import { referenceView } from "./reference/view.ts";
import { serviceView } from "./service/view.ts";
import { Session, type View } from "./session.ts";
import { language, setLanguage, pageTexts as words } from "./words.ts";

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const keyForm = find<HTMLFormElement>("key-form");
const keyField = find<HTMLInputElement>("key");
const notice = find("notice");
const tabList = find("tabs");
/** Named `tab-pool` and so on: a browser would focus an element that has the name in the address. */
const tabs = [...tabList.querySelectorAll<HTMLElement>("[role=tab]")];
const viewOf = ({ id }: HTMLElement) => id.slice("tab-".length);
const panel = find("view");
const holder = find("holder");
const signOutButton = find("sign-out");
const languageField = find<HTMLSelectElement>("language");
const storedLanguage = "bankcheck-language";

const session = new Session(() => {
  openAddressed();
  say("keyUnknown");
});
const views: Readonly<Record<string, View>> = {
  check: new CheckView(session),
  batch: batchView(session),
  banks: banksView(session),
  pool: poolView(session),
  service: serviceView(session),
  reference: referenceView(session),
};
let open: View | undefined;

/** Names the holder and opens the view that the address names (`#pool`, with more after a slash), or asks for the key that it needs. */
function openAddressed(): void {
  holder.textContent = session.holder ?? "";
  signOutButton.hidden = !session.hasKey;
  const [id] = location.hash.slice(1).split("/");
  const opened = tabs.find((tab) => viewOf(tab) === id) ?? tabs[0]!;
  for (const tab of tabs) {
    tab.ariaSelected = String(tab === opened);
    tab.tabIndex = tab === opened ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", opened.id);
  showTitle();
  const wanted = views[viewOf(opened)]!;
  const isLocked = wanted.isPublic !== true && !session.hasKey;
  if (open === wanted && !isLocked) return;
  open?.close?.();
  open = undefined;
  keyForm.hidden = !isLocked;
  panel.hidden = isLocked;
  panel.replaceChildren();
  if (isLocked) {
    say("keyHint");
    keyField.focus();
    return;
  }
  open = wanted;
  panel.append(...wanted.content);
  wanted.open?.();
  wanted.show();
}

/** The note beside the field of the key. */
let said: "keyHint" | "keyChecking" | "keyForm" | "keyUnknown" | "unreachable" = "keyHint";

function say(text: typeof said): void {
  said = text;
  notice.textContent = words[text];
  notice.classList.toggle("wrong", text !== "keyHint" && text !== "keyChecking");
}

function showTitle(): void {
  document.title = `${tabs.find((tab) => tab.ariaSelected === "true")?.textContent ?? ""} · bankcheck`;
}

/** Shows the page in the language that was chosen, in this tab or another, otherwise in the browser's. */
function showLanguage(): void {
  const chosen = localStorage.getItem(storedLanguage) ?? navigator.language;
  setLanguage(chosen.startsWith("de") ? "de" : "en");
  document.documentElement.lang = languageField.value = language;
  // The views have words of their own.
  for (const part of [keyForm, tabList, signOutButton.parentElement!]) translate(part, words);
  tabList.ariaLabel = words.views;
  notice.textContent = words[said];
  showTitle();
  open?.show();
}

function signOut(): void {
  if (Object.values(views).some((view) => view.mayLeave?.() === false)) return;
  session.signOut();
  // The views have shown what belongs to the key.
  location.reload();
}

async function signIn(key: string): Promise<void> {
  say("keyChecking");
  const fault = await session.signIn(key);
  if (fault !== undefined) {
    say(fault);
    keyField.focus();
    return;
  }
  keyField.value = "";
  openAddressed();
  (panel.querySelector<HTMLElement>("input, textarea") ?? panel).focus();
}

for (const [index, tab] of tabs.entries()) {
  tab.onclick = () => {
    location.hash = viewOf(tab);
  };
  // As in the tabs pattern of WAI-ARIA.
  tab.onkeydown = (event) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length)!;
    next.focus();
    next.click();
  };
}
// Some views have nothing inside that could be focused.
panel.tabIndex = 0;
keyForm.onsubmit = (event) => {
  event.preventDefault();
  void signIn(keyField.value.trim());
};
signOutButton.onclick = signOut;
languageField.onchange = () => {
  localStorage.setItem(storedLanguage, languageField.value);
  showLanguage();
};
addEventListener("storage", ({ key }) => {
  if (key === storedLanguage) showLanguage();
});
addEventListener("hashchange", openAddressed);

showLanguage();
openAddressed();
if (session.hasKey) void session.refreshHolder().then(openAddressed, () => {});
