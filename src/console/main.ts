import { BanksView } from "./banks/view.ts";
import { BatchView } from "./batch/view.ts";
import { CheckView } from "./check/view.ts";
import { translate } from "./element.ts";
import { PoolView } from "./pool/view.ts";
import { ReferenceView } from "./reference/view.ts";
import { ServiceView } from "./service/view.ts";
import { Session, type View } from "./session.ts";
import { pageTabs } from "./tabs.ts";
import { type Language, texts } from "./words.ts";

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const keyForm = find<HTMLFormElement>("key-form");
const keyField = find<HTMLInputElement>("key");
const notice = find("notice");
const tabs = find("tabs");
const panel = find("view");
const holder = find("holder");
const signOutButton = find("sign-out");
const languageField = find<HTMLSelectElement>("language");

const views: Readonly<Record<string, View>> = {
  check: new CheckView(),
  batch: new BatchView(),
  banks: new BanksView(),
  pool: new PoolView(),
  service: new ServiceView(signOut),
  reference: new ReferenceView(),
};
let open: View | undefined;

const session = new Session(() => {
  showHolder();
  openAddressed();
  say(texts[session.language].keyUnknown, true);
});

const openAddressed = pageTabs(tabs, panel, (id) => {
  const wanted = views[id]!;
  const isLocked = wanted.needsKey && !session.hasKey;
  if (open === wanted && !isLocked) return;
  open?.close();
  open = undefined;
  keyForm.hidden = !isLocked;
  panel.hidden = isLocked;
  panel.replaceChildren();
  if (isLocked) {
    say(texts[session.language].keyHint);
    keyField.focus();
    return;
  }
  open = wanted;
  open.open(panel, session);
});

function say(text: string, isWrong = false): void {
  notice.textContent = text;
  notice.classList.toggle("wrong", isWrong);
}

function showHolder(): void {
  holder.textContent = session.holder ?? "";
  signOutButton.hidden = !session.hasKey;
}

function setLanguage(): void {
  const words = texts[session.language];
  document.documentElement.lang = session.language;
  languageField.value = session.language;
  translate(document, words);
  tabs.ariaLabel = words.views;
  if (!keyForm.hidden) say(words.keyHint);
  open?.setLanguage();
}

function signOut(): void {
  session.signOut();
  // What the views have shown belongs to the key.
  location.reload();
}

async function signIn(key: string): Promise<void> {
  const words = texts[session.language];
  say(words.keyChecking);
  const outcome = await session.signIn(key);
  if (outcome !== "known") {
    say(
      { malformed: words.keyForm, unknown: words.keyUnknown, unreachable: words.unreachable }[outcome],
      true,
    );
    keyField.focus();
    return;
  }
  keyField.value = "";
  showHolder();
  openAddressed();
  panel.querySelector<HTMLElement>("input, textarea")?.focus();
}

keyForm.addEventListener("submit", (event) => {
  event.preventDefault();
  void signIn(keyField.value.trim());
});
signOutButton.addEventListener("click", signOut);
languageField.addEventListener("change", () => {
  session.language = languageField.value as Language;
  setLanguage();
});
addEventListener("hashchange", openAddressed);

setLanguage();
showHolder();
openAddressed();
if (session.hasKey) void session.refreshHolder().then(showHolder);
