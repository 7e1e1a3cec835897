import type { HealthAnswer, UsageAnswer } from "../../client/api-types.ts";
import { element } from "../element.ts";
import { filled } from "../filled.ts";
import { ServiceError } from "../service-error.ts";
import type { Session } from "../session.ts";
import type { View } from "../view.ts";
import { dayChart } from "./day-chart.ts";
import { type ServiceWords, serviceTexts } from "./words.ts";

const shownDays = 31;

interface Facts {
  readonly usage: UsageAnswer;
  readonly health: HealthAnswer;
}

/** What the service knows of the key, of its bank data and of itself. */
export class ServiceView implements View {
  readonly needsKey = true;
  #session!: Session;
  #into!: HTMLElement;
  #facts: Facts | undefined;
  #asking = new AbortController();

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    this.#into = into;
    void this.#load();
  }

  close(): void {
    this.#asking.abort();
  }

  setLanguage(): void {
    if (this.#facts !== undefined) this.#show(this.#facts);
  }

  async #load(): Promise<void> {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const words = serviceTexts[this.#session.language];
    if (this.#facts === undefined) this.#into.replaceChildren(notice(words.loading));
    else this.#show(this.#facts);
    try {
      const [usage, health] = await Promise.all([
        this.#session.ask<UsageAnswer>(`/service/usage?days=${shownDays}`, undefined, signal),
        this.#session.ask<HealthAnswer>("/service/health", undefined, signal),
      ]);
      this.#facts = { usage, health };
      this.#show(this.#facts);
    } catch (error) {
      if (signal.aborted) return;
      this.#into.replaceChildren(
        notice(error instanceof ServiceError ? error.message : words.unreachable, true),
      );
    }
  }

  #show({ usage, health }: Facts): void {
    const words = serviceTexts[this.#session.language];
    const { language } = this.#session;
    const number = (value: number) => value.toLocaleString(language);
    const figures = (given: UsageAnswer["key"] | UsageAnswer["all_keys"]) =>
      (["today", "month", "total"] as const).map((name) =>
        element("div", "", element("dt", "", words[name]), element("dd", "", number(given[name]))),
      );
    const used = element(
      "section",
      "card",
      element("h2", "", words.usage),
      element("p", "", `${words.holder} ${usage.name}`),
      element("dl", "figures", ...figures(usage.key)),
      dayChart(usage.key.days ?? [], words.byDay, language),
    );
    if (usage.all_keys.total !== usage.key.total) {
      used.append(element("p", "hint", words.allKeys), element("dl", "figures", ...figures(usage.all_keys)));
    }
    const about = element(
      "section",
      "card",
      element("h2", "", words.version),
      element("p", "", health.version ?? words.none),
    );
    about.append(element("h2", "", words.links), ...links(words));
    this.#into.replaceChildren(element("div", "service", used, dataCard(health, words, language), about));
  }
}

function notice(text: string, isWrong = false): HTMLElement {
  const made = element("p", isWrong ? "notice wrong" : "notice", text);
  made.role = "status";
  return made;
}

function links(words: ServiceWords): HTMLElement[] {
  const targets = [
    ["#reference", words.reference],
    ["/service/console/openapi.json", words.openapi],
  ] as const;
  return targets.map(([href, text]) => {
    const link = element("a", "", text) as HTMLAnchorElement;
    link.href = href;
    return element("p", "", link);
  });
}

function dataCard({ data }: HealthAnswer, words: ServiceWords, language: string): HTMLElement {
  const card = element("section", "card", element("h2", "", words.data));
  if (data === undefined) return card;
  const date = (day: string) =>
    new Date(`${day}T12:00:00Z`).toLocaleDateString(language, { dateStyle: "medium" });
  const list = element("dl", "facts");
  const row = (name: string, ...lines: readonly string[]) => {
    list.append(element("dt", "", name), element("dd", "", ...lines.map((line) => element("p", "", line))));
  };
  const lines: string[] = [];
  if (data.edition !== "")
    lines.push(filled(words.edition, { edition: date(data.edition), age: data.age_days ?? words.none }));
  if (data.valid_until !== null)
    lines.push(data.expired ? words.expired : filled(words.validUntil, { date: date(data.valid_until) }));
  lines.push(
    data.next_edition === null ? words.noNext : filled(words.next, { date: date(data.next_edition) }),
  );
  if (data.last_refusal !== null) lines.push(filled(words.refused, { reason: data.last_refusal.reason }));
  row(words.germany, ...lines);
  row(words.others, data.other_countries || words.none);
  row(
    words.sepa,
    data.sepa_edition === null ? words.sepaAssumed : filled(words.sepaKnown, { edition: data.sepa_edition }),
  );
  card.append(list);
  return card;
}
