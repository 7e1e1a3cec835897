import { BanksView } from "./banks/view.ts";
import { BatchView } from "./batch/view.ts";
import { CheckView } from "./check/view.ts";
import { translate } from "./element.ts";
import { PoolView } from "./pool/view.ts";
import { ReferenceView } from "./reference/view.ts";
import { ServiceView } from "./service/view.ts";
import { Session, type View } from "./session.ts";
import { language, setLanguage, pageTexts as words } from "./words.ts";

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const keyForm = find<HTMLFormElement>("key-form");
const keyField = find<HTMLInputElement>("key");
const notice = find("notice");
const tabs = find("tabs");
const panel = find("view");
const holder = find("holder");
const signOutButton = find("sign-out");
const languageField = find<HTMLSelectElement>("language");
const storedLanguage = "bankcheck-language";

const session = new Session(() => {
  showHolder();
  openAddressed();
  say("keyUnknown", true);
});
const views: Readonly<Record<string, View>> = {
  check: new CheckView(session),
  batch: new BatchView(session),
  banks: new BanksView(session),
  pool: new PoolView(session),
  service: new ServiceView(session),
  reference: new ReferenceView(session),
};
let open: View | undefined;

const openAddressed = pageTabs(tabs, panel, (id) => {
  showTitle();
  const wanted = views[id]!;
  const isLocked = wanted.needsKey && !session.hasKey;
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
});

/** The note beside the field of the key, and whether it is an error. */
let said: "keyHint" | "keyChecking" | "keyForm" | "keyUnknown" | "unreachable" = "keyHint";

function say(text: typeof said, isWrong = false): void {
  said = text;
  notice.textContent = words[text];
  notice.classList.toggle("wrong", isWrong);
}

function showTitle(): void {
  document.title = `${tabs.querySelector("[aria-selected=true]")?.textContent ?? ""} · bankcheck`;
}

function showHolder(): void {
  holder.textContent = session.holder ?? "";
  signOutButton.hidden = !session.hasKey;
}

/** Shows the page in the language that was chosen, in this tab or another, otherwise in the browser's. */
function showLanguage(): void {
  const chosen = localStorage.getItem(storedLanguage) ?? navigator.language;
  setLanguage(chosen.startsWith("de") ? "de" : "en");
  document.documentElement.lang = languageField.value = language;
  // The views have words of their own.
  for (const part of [keyForm, tabs, signOutButton.parentElement!]) translate(part, words);
  tabs.ariaLabel = words.views;
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
  const outcome = await session.signIn(key);
  if (outcome !== "known") {
    say(outcome, true);
    keyField.focus();
    return;
  }
  keyField.value = "";
  showHolder();
  openAddressed();
  (panel.querySelector<HTMLElement>("input, textarea") ?? panel).focus();
}

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
showHolder();
openAddressed();
if (session.hasKey) void session.refreshHolder().then(showHolder);

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowLeft: (index, count) => (index + count - 1) % count,
  ArrowRight: (index, count) => (index + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Makes the buttons of an element the tabs of the page: one is open, the address names it (`#pool`, with more after a slash), and the arrow keys go
 * from one to the next (WAI-ARIA tabs pattern).
 *
 * The buttons are named `tab-pool` and so on: a browser would focus an element that has the name in the address. `opened` is
 * called with the name of the view; the returned function opens what the address names, and may be called again.
 */
function pageTabs(list: HTMLElement, panel: HTMLElement, opened: (id: string) => void): () => void {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  // Some views have nothing inside that could be focused.
  panel.tabIndex = 0;
  const tabId = (view: string | undefined) => `tab-${view}`;
  const viewOf = ({ id }: HTMLElement) => id.slice(tabId("").length);
  const openAddressed = () => {
    const [view] = location.hash.slice(1).split("/");
    const open = tabs.find(({ id }) => id === tabId(view)) ?? tabs[0]!;
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === open);
      tab.tabIndex = tab === open ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", open.id);
    opened(viewOf(open));
  };
  for (const [index, tab] of tabs.entries()) {
    tab.onclick = () => {
      location.hash = viewOf(tab);
    };
    tab.onkeydown = (event) => {
      const next = tabs[steps[event.key]?.(index, tabs.length) ?? index]!;
      if (next === tab) return;
      event.preventDefault();
      next.focus();
      next.click();
    };
  }
  return openAddressed;
}
