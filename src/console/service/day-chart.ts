import { element } from "../element.ts";

const svg = "http://www.w3.org/2000/svg";
const size = { width: 620, height: 140, gap: 3 } as const;

/** A bar for each day, the last one being today; a screen reader gets the figures as a table. */
export function dayChart(
  days: readonly { readonly day: string; readonly checks: number }[],
  title: string,
  language: string,
): HTMLElement {
  const max = Math.max(1, ...days.map(({ checks }) => checks));
  const drawing = document.createElementNS(svg, "svg");
  drawing.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  drawing.setAttribute("aria-hidden", "true");
  const step = size.width / Math.max(1, days.length);
  for (const [index, { day, checks }] of days.entries()) {
    const bar = document.createElementNS(svg, "rect");
    // A day with any check can be seen, however busy the others were.
    const height = checks === 0 ? 0 : Math.max(2, (checks / max) * size.height);
    bar.setAttribute("x", String(index * step));
    bar.setAttribute("y", String(size.height - height));
    bar.setAttribute("width", String(step - size.gap));
    bar.setAttribute("height", String(height));
    const label = document.createElementNS(svg, "title");
    label.textContent = `${day}: ${checks.toLocaleString(language)}`;
    bar.append(label);
    drawing.append(bar);
  }
  const rows = days.map(({ day, checks }) =>
    element("tr", "", element("td", "", day), element("td", "", checks.toLocaleString(language))),
  );
  const table = element("table", "", element("caption", "", title), element("tbody", "", ...rows));
  const ends = element(
    "p",
    "hint ends",
    element("span", "", days[0]?.day ?? ""),
    element("span", "", days.at(-1)?.day ?? ""),
  );
  const figure = element("figure", "days", element("figcaption", "hint", title));
  figure.append(drawing, ends, element("div", "offscreen", table));
  return figure;
}
