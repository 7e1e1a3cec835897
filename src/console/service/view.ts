import type { BankDataAnswer, HealthAnswer, UsageAnswer } from "../../client/api-types.ts";
import { element } from "../element.ts";
import type { Session, View } from "../session.ts";
import { dateOf, filled, type Language, locales, texts } from "../words.ts";
import { dayChart } from "./day-chart.ts";
import { listTable } from "./list-table.ts";
import { type ServiceWords, serviceTexts } from "./words.ts";

const shownDays = 31;

interface Facts {
  readonly usage: UsageAnswer;
  readonly health: HealthAnswer;
  readonly data: BankDataAnswer;
}

/** What the service knows of the key, of its bank data and of itself. */
export class ServiceView implements View {
  readonly needsKey = true;
  readonly #signOut: () => void;
  #session!: Session;
  #into!: HTMLElement;
  #facts: Facts | undefined;
  #asking = new AbortController();

  constructor(signOut: () => void) {
    this.#signOut = signOut;
  }

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    this.#into = into;
    void this.#load();
  }

  close(): void {
    this.#asking.abort();
  }

  setLanguage(): void {
    if (this.#facts === undefined) void this.#load();
    else this.#show(this.#facts);
  }

  async #load(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    if (this.#facts === undefined) this.#into.replaceChildren(notice(texts[this.#session.language].loading));
    else this.#show(this.#facts);
    try {
      const [usage, health, data] = await this.#session.ask((client) =>
        Promise.all([
          client.usage({ days: shownDays, signal }),
          client.health({ signal }),
          client.bankData({ signal }),
        ]),
      );
      this.#facts = { usage, health, data };
      this.#show(this.#facts);
    } catch (error) {
      if (signal.aborted) return;
      const again = element("button", "quiet", serviceTexts[this.#session.language].again);
      again.addEventListener("click", () => void this.#load());
      this.#into.replaceChildren(notice(this.#session.sentenceOf(error), true), again);
    }
  }

  #show({ usage, health, data }: Facts): void {
    const { language } = this.#session;
    const words = serviceTexts[language];
    this.#into.replaceChildren(
      element(
        "div",
        "service",
        this.#usageCard(usage, words),
        element("div", "beside", editionCard(health, words, language), this.#aboutCard(health, words)),
        element(
          "section",
          "card lists",
          element("h2", "", words.lists),
          listTable(data.lists, words, language),
        ),
      ),
    );
  }

  #usageCard(usage: UsageAnswer, words: ServiceWords): HTMLElement {
    const { language } = this.#session;
    const figures = (given: UsageAnswer["key"] | UsageAnswer["all_keys"]) =>
      element(
        "dl",
        "figures",
        ...(["today", "month", "total"] as const).map((name) =>
          element(
            "div",
            "",
            element("dt", "", words[name]),
            element("dd", "", given[name].toLocaleString(language)),
          ),
        ),
      );
    const signOut = element("button", "quiet", texts[language].signOut);
    signOut.addEventListener("click", this.#signOut);
    const holder = element("p", "bar", `${words.holder} `, element("strong", "", usage.name), signOut);
    const used = element("section", "card", element("h2", "", words.usage), holder, figures(usage.key));
    used.append(dayChart(usage.key.days ?? [], words.byDay, language));
    if (usage.all_keys.total !== usage.key.total)
      used.append(element("h3", "", words.allKeys), figures(usage.all_keys));
    return used;
  }

  #aboutCard({ version, status }: HealthAnswer, words: ServiceWords): HTMLElement {
    const list = element("dl", "facts");
    list.append(
      element("dt", "", words.state),
      element("dd", status === "up" ? "" : "wrong", words[status]),
      element("dt", "", words.version),
      element("dd", "", version),
    );
    const card = element("section", "card", element("h2", "", words.about), list);
    const links = [
      ["#reference", words.reference],
      ["/service/console/openapi.json", words.openapi],
      ["#pool", words.metrics],
      ["#reference/metrics", words.metricsJson],
    ] as const;
    for (const [href, text] of links) {
      const link = element("a", "", text) as HTMLAnchorElement;
      link.href = href;
      card.append(element("p", "", link));
    }
    return card;
  }
}

function notice(text: string, isWrong = false): HTMLElement {
  const made = element("p", isWrong ? "notice wrong" : "notice", text);
  made.role = "status";
  return made;
}

function editionCard({ data }: HealthAnswer, words: ServiceWords, language: Language): HTMLElement {
  const card = element("section", "card", element("h2", "", words.data));
  const date = (day: string) => dateOf(day, language);
  const list = element("dl", "facts");
  const row = (name: string, text: string, isWrong = false) =>
    list.append(element("dt", "", name), element("dd", isWrong ? "wrong" : "", text));
  row(
    words.germany,
    data.edition === ""
      ? words.noEdition
      : filled(words.edition, { edition: date(data.edition), age: data.age_days ?? "–" }),
    data.edition === "",
  );
  if (data.valid_until !== null) {
    const until = date(data.valid_until);
    row(words.validUntil, data.expired ? filled(words.expired, { date: until }) : until, data.expired);
  }
  row(words.next, data.next_edition === null ? words.noNext : date(data.next_edition));
  row(words.others, data.other_countries || "–");
  row(
    words.sepa,
    data.sepa_edition === null
      ? words.sepaAssumed
      : filled(words.sepaKnown, { edition: date(data.sepa_edition) }),
  );
  if (data.loaded_at !== null)
    row(
      words.loaded,
      new Date(data.loaded_at).toLocaleString(locales[language], { dateStyle: "medium", timeStyle: "short" }),
    );
  if (data.last_refusal !== null) row(words.refused, data.last_refusal.reason, true);
  card.append(list);
  return card;
}
